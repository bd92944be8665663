import { Table } from './data/table.ts';
import { jsonReply, type PlainReply, type PlainRequest } from './http.ts';
import { partsOf } from './state.ts';
import type { World } from './world.ts';

/** The commands of this file, for the list of known commands. */
export const tableCommands = ['GET tables', 'GET tables/NAME', 'GET tables/NAME/KEY'];

/** Records in a reply. More would delay the requests of others. */
const mostRecords = 100;

/**
 * Answers the control requests about single tables: `tables` (how many records each has), `tables/NAME` (the newest
 * records) and `tables/NAME/KEY`. Unlike `state`, they are fast however many records there are. Returns `undefined` for
 * other commands.
 *
 * @throws `RangeError` if there is no such table or record
 */
export function answerTables({ state }: World, { method, url }: PlainRequest, command: string): PlainReply | undefined {
  const [topic, name, key, ...more] = command.split('/').map(decodeURIComponent);
  if (topic !== 'tables' || method !== 'GET' || more.length > 0) return undefined;
  // Access tokens are credentials.
  const tables = partsOf(state).filter((part) => part instanceof Table && part.name !== 'tokens') as Records[];
  if (name === undefined) return jsonReply(200, Object.fromEntries(tables.map((table) => [table.name, table.size])));
  const table = tables.find((one) => one.name === name);
  if (!table) throw new RangeError(`There is no table '${name}'. GET /__sandbox/tables lists them.`);
  if (key === undefined) {
    const limit = Math.min(readCount(url, 'limit', mostRecords), mostRecords);
    return jsonReply(200, newest(table, limit, readCount(url, 'offset', 0)));
  }
  const record = table.get(key) ?? table.get(Number(key));
  if (!record) throw new RangeError(`${name} has no record ${key}`);
  return jsonReply(200, { key, title: table.titleOf(record), record });
}

type Records = Table<string | number, object>;

interface ShownRecord {
  key: string | number;
  /** What a reader knows it by; empty if nothing is known. */
  title: string;
  record: object;
}

/** Newest first. A Map has no index, so this counts its way to them. */
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

function readCount({ searchParams }: URL, name: string, otherwise: number): number {
  const text = searchParams.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,15}$/.test(text)) throw new RangeError(`${name} is a whole number`);
  return Number(text);
}
