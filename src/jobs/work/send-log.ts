/// <reference types="node" />
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../shared/message-of.ts';
import { loadSqlite } from '../../shared/sqlite-file.ts';
import { JobsError } from '../jobs-error.ts';
import { namesIn } from '../store/create-folder.ts';
import type { RowOutcome } from '../store/store.ts';
import type { StoredRow } from '../store/tables.ts';
import { bootNow, isSameBoot } from './boot.ts';

/** Number of bytes, in addition to the lines whose outcomes are not stored, after which a log is rewritten. Changed only by tests. */
export const logSize = { max: 1_000_000 };

const suffixes = { log: '.log', lock: '.lock', unfinished: '.new' };

/** An attempt to send a row, according to a log. */
export interface LoggedRow {
  /** Step whose request may have been sent. `undefined` if the outcome is known. */
  readonly step?: string | undefined;
  /** Last outcome. If `step` is set, this is the outcome before that step. */
  readonly outcome?: RowOutcome | undefined;
}

/** Identifies the row and the attempt of a line. */
type Claimed = Pick<StoredRow, 'job' | 'number' | 'attempt'>;

export function attemptOf({ job, number, attempt }: Claimed): string {
  return `${job}.${number}.${attempt}`;
}

/** A line: a worker, a request that is about to be sent, or an outcome. */
type Line =
  | readonly ['worker', worker: number, place: string, boot: string]
  | readonly ['begin', job: number, number: number, attempt: number, step: string]
  | readonly ['end', outcome: RowOutcome];

/** A line could not be written, so no request may be sent. */
export class LogError extends Error {
  override readonly name = 'LogError';
}

/**
 * Log of one worker. A line is written just before each request is sent, and another line after each outcome. The log is not synced to
 * disk, because it only has to survive the process: after a restart of the system, missing lines prove nothing. A lock file shows that
 * the process is alive. A process ID would not suffice, because it means nothing in another container.
 */
export class SendLog {
  readonly path: string;
  readonly #lock: DatabaseSync;
  #file: number;
  #size = 0;
  /** Lines of the attempts whose outcomes are not yet in the store. */
  readonly #open = new Map<string, string[]>();
  #openSize = 0;
  readonly #workers: string[] = [];
  /** Lines that are written together at the end of this turn of the event loop, because a write costs more than an additional line. */
  #waiting: { attempt: string; text: string }[] = [];
  #writing: Promise<void> | undefined;

  private constructor(path: string, lock: DatabaseSync) {
    this.path = path;
    this.#lock = lock;
    this.#file = openSync(path, 'a', 0o600);
  }

  static async create(folder: string, worker: number, place: string): Promise<SendLog> {
    const path = join(folder, `${worker}${suffixes.log}`);
    const lock = await lockLog(path);
    if (!lock) throw new JobsError(`${path} is in use.`);
    const log = new SendLog(path, lock);
    log.as(worker, place);
    return log;
  }

  /** Writes the number under which the worker claims rows from now on. */
  as(worker: number, place: string): void {
    const text = textOf(['worker', worker, place, bootNow()]);
    this.#write(text);
    this.#workers.push(text);
  }

  /**
   * Writes that the request of a step is about to be sent. Resolves when the line is in the file.
   *
   * @throws `LogError` if the line could not be written completely
   */
  async begin(row: Claimed, step: string): Promise<void> {
    await this.#note(row, ['begin', row.job, row.number, row.attempt, step]);
  }

  /** @throws `LogError` */
  async end(outcome: RowOutcome): Promise<void> {
    await this.#note(outcome, ['end', outcome]);
  }

  /** Removes outcomes that are in the store from the open lines. Rewrites the log if it has grown too large. */
  settled(outcomes: readonly (Claimed & Pick<RowOutcome, 'state'>)[]): void {
    // After `claimed`, the next step of the row may be in flight.
    const attempts = new Set(outcomes.filter(({ state }) => state !== 'claimed').map(attemptOf));
    this.#waiting = this.#waiting.filter(({ attempt }) => !attempts.has(attempt));
    for (const attempt of attempts) {
      for (const line of this.#open.get(attempt) ?? []) this.#openSize -= line.length;
      this.#open.delete(attempt);
    }
    if (this.#size > logSize.max + 2 * this.#openSize) this.#writeAnew();
  }

  /** Closes the log. Removes the log if all rows of the worker are settled. */
  async close(isSettled: boolean): Promise<void> {
    await this.#writing?.catch(() => undefined);
    closeSync(this.#file);
    if (isSettled) rmSync(this.path, { force: true });
    this.#lock.close();
    if (isSettled) rmSync(`${this.path}${suffixes.lock}`, { force: true });
  }

  async #note(row: Claimed, line: Line): Promise<void> {
    this.#waiting.push({ attempt: attemptOf(row), text: textOf(line) });
    this.#writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#writeWaiting());
    await this.#writing;
  }

  #writeWaiting(): void {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#writing = undefined;
    this.#write(lines.map(({ text }) => text).join(''));
    for (const { attempt, text } of lines) {
      const others = this.#open.get(attempt);
      if (others) others.push(text);
      else this.#open.set(attempt, [text]);
      this.#openSize += text.length;
    }
  }

  /** Writes whole lines, or none. */
  #write(text: string, file = this.#file): void {
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      written = writeSync(file, bytes);
    } catch (cause) {
      throw new LogError(`The request log cannot be written (${messageOf(cause)})`, { cause });
    }
    if (written < bytes.length) {
      // The incomplete line would corrupt the next line.
      ftruncateSync(file, fstatSync(file).size - written);
      throw new LogError('The request log cannot be written completely: the disk may be full');
    }
    if (file === this.#file) this.#size += bytes.length;
  }

  /** Writes a new log with only the open lines, which replaces the old log when it is complete. */
  #writeAnew(): void {
    const path = `${this.path}${suffixes.unfinished}`;
    let file: number | undefined;
    try {
      rmSync(path, { force: true });
      // Open to append, so that removing an incomplete line leaves no gap.
      file = openSync(path, 'a', 0o600);
      const text = [...this.#workers, ...[...this.#open.values()].flat()].join('');
      this.#write(text, file);
      renameSync(path, this.path);
      const old = this.#file;
      this.#file = file;
      this.#size = Buffer.byteLength(text);
      closeSync(old);
    } catch {
      // The old log remains, and grows until a new log can be written.
      if (file !== undefined && file !== this.#file) closeSync(file);
      rmSync(path, { force: true });
      this.#size = 0;
    }
  }
}

/** Log of a worker that has certainly ended. */
export interface DeadLog {
  readonly workers: readonly number[];
  /** Whether a missing line proves that no request was sent. */
  readonly isComplete: boolean;
  /** Rows by {@link attemptOf}. A late outcome of an earlier attempt says nothing about a later attempt. */
  readonly rows: ReadonlyMap<string, LoggedRow>;
  /** Releases the log. Removes the log if its rows are settled. */
  close(isSettled: boolean): void;
}

/**
 * Reads the logs of this store's workers that have ended. Skips the logs of other stores.
 *
 * @param living - receives the numbers of the living workers, whose logs are locked by another process or by this one
 */
export async function* readDeadLogs(folder: string, place: string, living: Set<number>): AsyncGenerator<DeadLog> {
  for (const name of namesIn(folder).filter((each) => each.endsWith(suffixes.log))) {
    const path = join(folder, name);
    const lock = await lockLog(path);
    if (!lock) {
      for (const number of numbersIn(path)) living.add(number);
      continue;
    }
    const log = readLog(path, place);
    if (!log) {
      lock.close();
      // Another worker has just recovered this log.
      if (!existsSync(path)) rmSync(`${path}${suffixes.lock}`, { force: true });
      continue;
    }
    yield {
      ...log,
      close(isSettled) {
        // Also remove an incomplete new log.
        if (isSettled) for (const file of [path, `${path}${suffixes.unfinished}`]) rmSync(file, { force: true });
        lock.close();
        if (isSettled) rmSync(`${path}${suffixes.lock}`, { force: true });
      },
    };
  }
}

/** Returns the numbers that a worker has had. */
function numbersIn(path: string): number[] {
  const later = [...readText(path).matchAll(/^\["worker",(\d+),/gm)].map(([, number]) => Number(number));
  return [numberOf(path), ...later];
}

/** The first number of a worker is the name of its log. Later numbers are in its lines. */
function numberOf(path: string): number {
  return Number(basename(path, suffixes.log));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Reads a log. Returns `undefined` if another worker has just removed the log, or if the log belongs to another place. */
export function readLog(path: string, place: string): Omit<DeadLog, 'close'> | undefined {
  if (!existsSync(path)) return undefined;
  const text = readText(path);
  const workers: number[] = [];
  const places = new Set<string>();
  const rows = new Map<string, LoggedRow>();
  const lines = text.split('\n');
  // A last line without a line break is incomplete, so its request was not sent.
  lines.pop();
  let isComplete = true;
  for (const each of lines) {
    const line = parse(each);
    if (!line) {
      isComplete = false;
      continue;
    }
    switch (line[0]) {
      case 'worker':
        workers.push(line[1]);
        places.add(line[2]);
        if (!isSameBoot(line[3], bootNow())) isComplete = false;
        break;
      case 'begin': {
        const [, job, number, attempt, step] = line;
        const key = attemptOf({ job, number, attempt });
        rows.set(key, { step, outcome: rows.get(key)?.outcome });
        break;
      }
      case 'end':
        rows.set(attemptOf(line[1]), { outcome: line[1] });
        break;
    }
  }
  // After a machine failure, a log can be empty. The worker is then identified by the file name, and missing lines prove nothing.
  if (workers.length === 0) return { workers: [numberOf(path)], isComplete: false, rows };
  return places.has(place) ? { workers, isComplete: isComplete && places.size === 1, rows } : undefined;
}

function parse(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

function isLine(line: unknown): line is Line {
  return Array.isArray(line) && ['worker', 'begin', 'end'].includes(line[0]);
}

function textOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

/** Locks a log for this process. The lock ends with the process. Returns `undefined` if another process holds the lock. */
async function lockLog(path: string): Promise<DatabaseSync | undefined> {
  const Database = await loadSqlite({ what: 'a carillon-jobs log' });
  const database = new Database(`${path}${suffixes.lock}`, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch {
    database.close();
    return undefined;
  }
}
