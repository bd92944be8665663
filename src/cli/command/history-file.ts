import { createHmac, randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCarillonError } from 'carillon';
import { isRecord } from '../../shared/is-record.ts';
import { readPrivately, writePrivately } from '../../shared/private-file.ts';
import type { Params } from '../catalogue/check-params.ts';
import type { Connection } from '../catalogue/connect.ts';
import type { Method } from '../catalogue/methods.ts';
import type { Io } from './io.ts';

/** Age after which an entry is removed, in milliseconds: 90 days. */
const maxAge = 90 * 24 * 60 * 60 * 1000;
/** Size above which the older half of the entries is removed, in characters. */
const maxSize = 1024 * 1024;
/** Maximum number of people or IDs that an entry names. */
const maxNamed = 100;
/** Time for which a command waits for others that write, in milliseconds. Each of them needs a few. */
const maxWait = 3_000;
/** Age of a lock after which the command that created it has ended, in milliseconds. */
const maxLockAge = 10_000;

/** A call that changed something. It has IDs and hashes, and no values. */
export interface Entry {
  readonly time: string;
  /** Profile of the call, or the host of its address. */
  readonly account: string;
  /** The method, or the verb of a path that is not documented. */
  readonly method: string;
  /** Values of the path: IDs, or hashes of texts. */
  readonly record?: Readonly<Record<string, number | string>>;
  /** IDs of the reply. */
  readonly ids?: readonly (number | string)[];
  /** Hashes of the addresses and numbers that the call concerned, and their number. */
  readonly people?: { readonly count: number; readonly hashes: readonly string[] };
  /** Number of rows of a file that were done. */
  readonly rows?: number;
  /** `unknown` if the reply was lost. */
  readonly outcome: 'done' | 'unknown';
}

/** The content of the file. */
export interface History {
  /** Key of the hashes. */
  readonly key: string;
  readonly isOff: boolean;
  readonly entries: readonly Entry[];
}

export function historyFile(folder: string): string {
  return join(folder, 'history.ndjson');
}

/**
 * Reads the history. Leaves out what is too old, and lines that are damaged.
 *
 * @throws `CredentialsError` if other users can read the file
 */
export function readHistory(file: string, now: number): History {
  const [head = '', ...lines] = (readPrivately(file, '') ?? '').split('\n');
  const parsed = parseLine(head);
  const key = typeof parsed?.key === 'string' ? parsed.key : randomBytes(32).toString('hex');
  const entries = lines.flatMap((line) => {
    const entry = parseLine(line);
    return isEntry(entry) && now - Date.parse(entry.time) < maxAge ? [entry] : [];
  });
  return { key, isOff: parsed?.off === true, entries };
}

/** Turns the history on or off. */
export function switchHistory(file: string, isOff: boolean): void {
  alone(file, () => writeHistory(file, { ...readHistory(file, Date.now()), isOff }));
}

/** Replaces the file. */
function writeHistory(file: string, { key, isOff, entries }: History): void {
  const head = JSON.stringify({ key, ...(isOff && { off: true }) });
  writePrivately(file, [head, ...entries.map((entry) => JSON.stringify(entry)), ''].join('\n'));
}

/** Removes the file. The choice to keep no history stays. */
export function clearHistory(file: string): void {
  alone(file, () => {
    const { key, isOff } = readHistory(file, Number.POSITIVE_INFINITY);
    if (isOff) writeHistory(file, { key, isOff, entries: [] });
    else rmSync(file, { force: true });
  });
}

/**
 * Acts while no other command writes the file: one that reads and replaces it would lose the lines of the others.
 *
 * @throws `Error` if others write for too long
 */
function alone(file: string, act: () => void): void {
  const lock = `${file}.lock`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const end = performance.now() + maxWait;
  while (!create(lock)) {
    if (isStale(lock)) removeStale(lock);
    if (performance.now() > end) throw new Error(`other commands write ${file}. If none runs, remove ${lock}.`);
    // A call is recorded when it is over, so there is no other work that could go on meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  try {
    act();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether the command that created a lock ended while it wrote. Its clock may have been ahead. */
function isStale(lock: string): boolean {
  const modified = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return modified !== undefined && Math.abs(Date.now() - modified) > maxLockAge;
}

/** Removes a stale lock. One command at a time does that, so that none removes the new lock of another. */
function removeStale(lock: string): void {
  const removing = `${lock}.removing`;
  if (!create(removing)) return;
  try {
    if (isStale(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(removing, { force: true });
  }
}

/** Creates a file, unless it exists. */
function create(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Hash of an address, a number or another text. The key differs between machines. */
export function hashOf(value: unknown, key: string): string {
  return createHmac('sha256', key)
    .update(plain(String(value)))
    .digest('hex')
    .slice(0, 24);
}

/** Addresses differ in case, and phone numbers in their signs. */
function plain(text: string): string {
  const trimmed = text.trim();
  return /^\+?[\d\s().-]{5,}$/.test(trimmed) ? trimmed.replace(/\D/g, '') : trimmed.toLowerCase();
}

/** Records a call when it is over. A history that cannot be written does not fail the call. */
export class HistoryEntry {
  readonly #method: Pick<Method, 'name' | 'inPath' | 'people'>;
  readonly #params: Params;
  readonly #account: string;
  readonly #io: Io;
  #isOver = false;

  constructor(
    method: Pick<Method, 'name' | 'inPath' | 'people'>,
    params: Params,
    { profile, baseUrl }: Connection,
    io: Io,
  ) {
    this.#method = method;
    this.#params = params;
    this.#account = profile ?? (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);
    this.#io = io;
  }

  /** The service answered. */
  done(reply: unknown): void {
    const ids = idsIn(reply);
    this.#add({ outcome: 'done', ...(ids.length > 0 && { ids }) });
  }

  /** Rows of a file were done. */
  rowsDone(rows: number): void {
    if (rows > 0) this.#add({ outcome: 'done', rows });
  }

  /** The call failed. It is recorded if it may have been processed. */
  failed(error: unknown): void {
    if (isCarillonError(error) && error.sent === 'maybe') this.#add({ outcome: 'unknown' });
  }

  #add(own: Pick<Entry, 'outcome' | 'ids' | 'rows'>): void {
    const { stateFolder: folder } = this.#io;
    if (this.#isOver || folder === undefined) return;
    this.#isOver = true;
    const file = historyFile(folder);
    const now = Date.now();
    try {
      alone(file, () => {
        const history = readHistory(file, now);
        if (history.isOff) return;
        const entry: Entry = {
          time: new Date(now).toISOString(),
          account: this.#account,
          method: this.#method.name,
          ...recordOf(this.#method, this.#params, history.key),
          ...peopleOf(this.#method, this.#params, history.key),
          ...own,
        };
        append(file, history, entry);
      });
    } catch (error) {
      this.#io.note(`The call is not in carillon history: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

function append(file: string, history: History, entry: Entry): void {
  const text = readPrivately(file, '') ?? '';
  const [head = '', first = ''] = text.split('\n', 2);
  const oldest = parseLine(first);
  const isStale = isEntry(oldest) && oldest.time !== history.entries[0]?.time;
  // Without the key in the file, no later call could find the hashes.
  const hasKey = parseLine(head)?.key === history.key;
  if (hasKey && !isStale && text.endsWith('\n') && text.length < maxSize) {
    appendFileSync(file, `${JSON.stringify(entry)}\n`);
    return;
  }
  const kept = text.length < maxSize ? history.entries : history.entries.slice(history.entries.length / 2);
  writeHistory(file, { ...history, entries: [...kept, entry] });
}

/** The values of a path: numbers are IDs, texts may be addresses. */
function recordOf({ inPath }: Pick<Method, 'inPath'>, params: Params, key: string): Pick<Entry, 'record'> {
  const values = Object.keys(inPath).flatMap((name): [string, number | string][] => {
    const value = params[name];
    if (typeof value === 'number') return [[name, value]];
    return typeof value === 'string' ? [[name, `#${hashOf(value, key)}`]] : [];
  });
  return values.length > 0 ? { record: Object.fromEntries(values) } : {};
}

function peopleOf({ people }: Pick<Method, 'people'>, params: Params, key: string): Pick<Entry, 'people'> {
  const values = (people?.fields ?? []).flatMap((name) => {
    const value = params[name];
    return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  });
  if (values.length === 0) return {};
  const hashes = values.slice(0, maxNamed).map((value) => hashOf(isRecord(value) ? value.email : value, key));
  return { people: { count: values.length, hashes } };
}

/** The IDs of a record, or of a list of records. A text with an `@` would be an address. */
function idsIn(reply: unknown): (number | string)[] {
  const records = Array.isArray(reply) ? reply : [reply];
  return records.slice(0, maxNamed).flatMap((record) => {
    if (!isRecord(record)) return [];
    const id = record.id ?? record.task_id;
    return typeof id === 'number' || (typeof id === 'string' && /^[\w-]{1,64}$/.test(id)) ? [id] : [];
  });
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: object | undefined): value is Entry {
  if (!isRecord(value)) return false;
  return typeof value.time === 'string' && typeof value.method === 'string' && typeof value.account === 'string';
}
