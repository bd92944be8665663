import { Table } from '../data/table.ts';
import { partsOf, type SandboxState } from '../products/state.ts';

/** Maximum number of records in a response. A larger response would delay other requests. */
export const maxListedRecords = 100;

type Records = Table<string | number, object>;

interface ShownRecord {
  key: string | number;
  /** Human-readable title of the record, such as its name. The title can be empty. */
  title: string;
  record: object;
}

export function tablesOf(state: SandboxState): Records[] {
  return partsOf(state).filter((part) => part instanceof Table);
}

/**
 * Lists the newest records in a table, or the newest records whose key, title or fields contain a string, ignoring case. Only a
 * search reads all records.
 *
 * @throws `RangeError` if there is no such table
 */
export function listRecords(
  state: SandboxState,
  name: string,
  { text, limit, offset }: { text: string; limit: number; offset: number },
): ShownRecord[] {
  const table = tablesOf(state).find((one) => one.name === name);
  if (!table) throw new RangeError(`There is no table '${name}'. GET /__sandbox/tables lists the tables.`);
  const show = ([key, record]: [string | number, object]): ShownRecord => ({
    key,
    title: table.titleOf(record),
    record,
  });
  const newest = [...table].reverse();
  if (text === '') return newest.slice(offset, offset + limit).map(show);
  const wanted = text.toLowerCase();
  const found: ShownRecord[] = [];
  for (const entry of newest) {
    if (found.length === offset + limit) break;
    const shown = show(entry);
    if (`${shown.key} ${shown.title} ${JSON.stringify(shown.record)}`.toLowerCase().includes(wanted)) found.push(shown);
  }
  return found.slice(offset);
}
