import { UsageError } from '../../shared/command-line.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import { findMethod, type Method, methods } from '../catalogue/methods.ts';
import { replaceInvisible } from '../text/invisible.ts';
import { argumentFields } from './flags.ts';
import { clearHistory, type Entry, hashOf, historyFile, readHistory, switchHistory } from './history-file.ts';
import type { Io } from './io.ts';
import { commandLine, kebab } from './names.ts';
import { json } from './output.ts';

/** Options of `carillon history`. */
export interface HistoryOptions {
  about?: string;
  json?: boolean;
  clear?: boolean;
  off?: boolean;
  on?: boolean;
}

/**
 * Shows the calls that changed something, the newest last, or changes whether they are kept.
 *
 * @throws `UsageError` for options that contradict each other, `CredentialsError` if other users can read the file
 */
export async function showHistory({ about, json: isJson, clear, off, on }: HistoryOptions, io: Io): Promise<void> {
  if (off && on) throw new UsageError('--off and --on contradict each other.');
  if (about?.trim() === '') throw new UsageError('--about takes an address, a number or an ID.');
  const { stateFolder: folder } = io;
  if (folder === undefined) return io.note('There is no folder for a history.\n');
  const file = historyFile(folder);
  if (clear) {
    clearHistory(file);
    io.note(`Removed the history in ${file}.\n`);
  }
  if (off || on) {
    switchHistory(file, off === true);
    io.note(off ? 'No history is kept from now on.\n' : 'A history is kept from now on.\n');
  }
  if (clear || off || on) return;
  const { key, isOff, entries } = readHistory(file, Date.now());
  if (isOff) io.note('No history is kept (carillon history --on keeps one).\n');
  const found = about === undefined ? entries : entries.filter((entry) => concerns(entry, about, key));
  if (found.length === 0) io.note(about === undefined ? 'No calls yet.\n' : `No call concerned ${about}.\n`);
  for (const entry of found) {
    const undo = undoOf(entry);
    await io.write(
      isJson ? `${json({ ...entry, ...(undo !== undefined && { undo }) })}\n` : `${describe(entry, undo)}\n`,
    );
  }
}

/** Whether a call concerned an address, a number or an ID. */
function concerns({ record = {}, ids = [], people }: Entry, about: string, key: string): boolean {
  const hash = hashOf(about, key);
  const values = [...Object.values(record), ...ids].map(String);
  return values.includes(about) || values.includes(`#${hash}`) || people?.hashes.includes(hash) === true;
}

/** One line, and one for what undoes the call. */
function describe(
  { time, account, method, record = {}, ids = [], people, rows, outcome }: Entry,
  undo?: string,
): string {
  const facts = [
    ...Object.entries(record).map(([name, value]) => `${name} ${value}`),
    ids.length > 0 && `ID ${ids.join(', ')}`,
    people && `${people.count.toLocaleString('en-GB')} ${people.count === 1 ? 'person' : 'people'}`,
    rows !== undefined && `${rows.toLocaleString('en-GB')} rows`,
    outcome === 'unknown' && 'the reply was lost: it may have been processed',
  ].filter(Boolean);
  const line = [time.replace('T', ' ').replace(/\.\d+Z$/, 'Z'), account, method, facts.join(', ')].join('  ').trimEnd();
  return [line, ...(undo === undefined ? [] : [`  undo: ${undo}`])].map((text) => replaceInvisible(text)).join('\n');
}

/** How to undo a call, if the spec knows it. */
function undoOf({ method: name, record = {}, ids = [], rows }: Entry): string | undefined {
  const method = findMethod(name);
  if (!method?.undo || rows !== undefined) return undefined;
  if (method.undo === 'none') return 'no call undoes it';
  if (method.undo === 'previous-value') return 'the same call with the values from before';
  const undoing = methods.find(({ id }) => id === method.undo);
  return undoing && undoLine(undoing, record, ids);
}

/** The command that undoes a call. Values that the history does not have are placeholders. */
function undoLine(method: Method, record: Readonly<Record<string, unknown>>, ids: readonly unknown[]): string {
  const args = argumentFields(method).map(({ name }, at, all) => {
    const known = record[name];
    if (typeof known === 'number') return String(known);
    return at === all.length - 1 && ids.length === 1 ? String(ids[0]) : `<${kebab(name)}>`;
  });
  const flags = fieldsOf(method)
    .filter((field) => field.in !== 'path' && field.required)
    .map((field) => `--${kebab(field.name)} <${kebab(field.name)}>`);
  return [commandLine(method.words), ...args, ...flags].join(' ');
}
