import { Table } from '../data/table.ts';
import { jsonResponse, type PlainRequest, type PlainResponse } from '../http/plain.ts';
import { partsOf } from '../products/state.ts';
import type { World } from '../world/world.ts';

/** The commands of this file, for the list of known commands. */
export const tableCommands = ['GET tables', 'GET tables/{name}', 'GET tables/{name}/{key}'];

/** Maximum number of records in a response. More would delay other requests. */
const maxRecords = 100;

/**
 * Answers the control requests about single tables: `tables` (how many records each has), `tables/{name}` (the newest
 * records, or the newest that contain the parameter `text`) and `tables/{name}/{key}`. Unlike `state`, they stay fast with many
 * records. Only a search reads all records. Returns `undefined` for other commands.
 *
 * @throws `RangeError` if there is no such table
 */
export function answerTables(
  { state }: World,
  { method, url }: PlainRequest,
  command: string,
): PlainResponse | undefined {
  const [topic, name, key, ...more] = command.split('/').map(decodeURIComponent);
  if (topic !== 'tables' || method !== 'GET' || more.length > 0) return undefined;
  const tables = partsOf(state).filter((part) => part instanceof Table) as Records[];
  if (name === undefined) return jsonResponse(200, Object.fromEntries(tables.map((table) => [table.name, table.size])));
  const table = tables.find((one) => one.name === name);
  if (!table) throw new RangeError(`There is no table '${name}'. GET /__sandbox/tables lists them.`);
  if (key === undefined) {
    const limit = Math.min(readCount(url, 'limit', maxRecords), maxRecords);
    const offset = readCount(url, 'offset', 0);
    const text = url.searchParams.get('text') ?? '';
    if (text === '') return jsonResponse(200, newest(table, limit, offset));
    return jsonResponse(200, search(table, text, { limit, offset }));
  }
  const record = table.get(key) ?? table.get(Number(key));
  if (!record) return jsonResponse(404, { message: `${name} has no record ${key}` });
  return jsonResponse(200, { key, title: table.titleOf(record), record });
}

type Records = Table<string | number, object>;

interface ShownRecord {
  key: string | number;
  /** Text that identifies the record for readers, such as a name. It can be empty. */
  title: string;
  record: object;
}

/** Returns a page of records, newest first. A Map has no index, so this iterates to the page. */
function newest(table: Records, limit: number, offset: number): ShownRecord[] {
  const found: ShownRecord[] = [];
  const end = table.size - offset;
  let place = 0;
  for (const [key, record] of table) {
    if (place >= end) break;
    if (place >= end - limit) found.push({ key, title: table.titleOf(record), record });
    place += 1;
  }
  return found.reverse();
}

/** Finds the records whose key, title or fields contain a text, ignoring case. The newest come first. */
function search(table: Records, text: string, { limit, offset }: { limit: number; offset: number }): ShownRecord[] {
  const wanted = text.toLowerCase();
  const found: ShownRecord[] = [];
  for (const [key, record] of [...table].reverse()) {
    if (found.length === offset + limit) break;
    const title = table.titleOf(record);
    if (`${key} ${title} ${JSON.stringify(record)}`.toLowerCase().includes(wanted)) found.push({ key, title, record });
  }
  return found.slice(offset);
}

function readCount({ searchParams }: URL, name: string, otherwise: number): number {
  const text = searchParams.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,15}$/.test(text)) throw new RangeError(`${name} is a whole number`);
  return Number(text);
}
