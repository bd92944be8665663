import { randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A database file cannot be used or changed. The message says why and what to do. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';
}

/** Type of a file. SQLite stores the ID and the version in the file's header. */
export interface FileKind {
  /** Name in messages, such as `a carillon-jobs file`. */
  what: string;
  applicationId: number;
  /** Version of the schema. */
  version: number;
  /** Statements that create the tables. */
  schema: string;
}

interface OpenOptions {
  /** Whether a change is flushed to disk before it is confirmed, so that it survives a power failure. */
  sync: boolean;
}

/** Result codes of SQLite. */
const codes = { error: 1, busy: 5, readOnly: 8, inputOutput: 10, damaged: 11, full: 13, cannotOpen: 14, foreign: 26 };

/** SQLite's messages for the result codes, because errors of Deno have no code. */
const messages: [string, number][] = [
  ['database is locked', codes.busy],
  ['attempt to write a readonly database', codes.readOnly],
  ['disk I/O error', codes.inputOutput],
  ['database disk image is malformed', codes.damaged],
  ['database or disk is full', codes.full],
  ['unable to open database file', codes.cannotOpen],
  ['file is not a database', codes.foreign],
];

/**
 * Number of pages in the write-ahead log at which SQLite writes the log into the file, so that a copy of the file alone is
 * recent.
 */
const maxLogPages = 50;

/**
 * A SQLite file that one process uses exclusively. SQLite's lock ends with the process, even after `kill -9`.
 *
 * The process must not open the file with `node:fs` meanwhile, because POSIX releases a process's locks when it closes any handle
 * of the file.
 */
export class SqliteFile {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;

  private constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  /**
   * Opens a file, writes its log into the file, and checks its structure. If the file does not exist, creates one that only its
   * owner can use.
   *
   * @throws `DatabaseFileError` if another process uses the file, the file is damaged or has another type, permissions are
   * missing, or this version of Node has no SQLite
   */
  static async open(file: string, kind: FileKind, { sync }: OpenOptions): Promise<SqliteFile> {
    const { path, Database } = await findOrCreate(file, kind);
    let database: DatabaseSync | undefined;
    try {
      database = new Database(path);
      lock(database);
      // Check the type before anything changes, because the file may belong to another program.
      checkKind(database, path, kind);
      setMode(database, sync);
      checkStructure(database, path);
      removeUnfinished(path);
      return new SqliteFile(path, database);
    } catch (error) {
      database?.close();
      throw explainSqlite(error, path);
    }
  }

  /**
   * Runs a function in a transaction.
   *
   * @throws `DatabaseFileError` if the changes cannot be written, such as on a full disk. The next transaction may succeed.
   */
  run<Result>(act: () => Result): Result {
    try {
      this.#begin.run();
      const result = act();
      this.#commit.run();
      return result;
    } catch (error) {
      this.#rollBack();
      throw explainSqlite(error, this.path);
    }
  }

  /** Runs a function that only reads. */
  read<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw explainSqlite(error, this.path);
    }
  }

  /** Converts a SQLite error to a `DatabaseFileError`. Returns other errors unchanged. */
  explain(error: unknown): unknown {
    return explainSqlite(error, this.path);
  }

  /** Creates the error for a damaged row. */
  damaged(): DatabaseFileError {
    return damaged(this.path);
  }

  close(): void {
    this.database.close();
  }

  #rollBack(): void {
    try {
      this.database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, as on a full disk.
    }
  }
}

/** A SQLite file that several processes use at the same time. */
export interface SharedFile {
  readonly path: string;
  readonly database: DatabaseSync;
}

/**
 * Opens a file that several processes may use. If the file does not exist, creates one that only its owner can use. Each commit
 * is flushed to disk before it is confirmed.
 *
 * @param options - `patience`: milliseconds for which a statement waits for another process; the statement blocks this process
 * meanwhile
 * @throws `DatabaseFileError` if the file is damaged or has another type, permissions are missing, or this version of Node has no
 * SQLite
 */
export async function openSharedFile(
  file: string,
  kind: FileKind,
  { patience }: { patience: number },
): Promise<SharedFile> {
  const { path, Database } = await findOrCreate(file, kind);
  let database: DatabaseSync | undefined;
  try {
    database = new Database(path, { timeout: openPatience });
    checkKind(database, path, kind);
    // macOS needs `fullfsync` for a commit to be on the disk.
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON',
    );
    database.exec(`PRAGMA journal_size_limit = 4194304; PRAGMA busy_timeout = ${patience}`);
    removeUnfinished(path);
    return { path, database };
  } catch (error) {
    database?.close();
    throw explainSqlite(error, path);
  }
}

/** How long opening a shared file waits for another process, in milliseconds. */
const openPatience = 5_000;

/** Whether the same statement can succeed later: the disk was full, or another process used the file. */
export function isPassingFileError({ cause }: DatabaseFileError): boolean {
  const code = codeOf(cause);
  return code === codes.busy || code === codes.full || code === codes.inputOutput;
}

/** Whether another process held a lock for longer than a statement waits. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === codes.busy;
}

/**
 * Loads the SQLite module of Node.
 *
 * @throws `DatabaseFileError` if this version of Node has no SQLite
 */
export async function loadSqlite({ what }: Pick<FileKind, 'what'>): Promise<typeof DatabaseSync> {
  const sqlite = await import('node:sqlite').catch(() => undefined);
  if (sqlite?.DatabaseSync) return sqlite.DatabaseSync;
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  const reason = `Node ${process.version} does not include SQLite`;
  throw new DatabaseFileError(`${subject} needs Node 22.13 or newer: ${reason}.`);
}

/** Finds a file, or creates it. Returns its absolute path, because the working directory may change while it is open. */
async function findOrCreate(file: string, kind: FileKind) {
  const path = resolve(file);
  const Database = await loadSqlite(kind);
  checkRights(path);
  if (!existsSync(path)) create(Database, path, kind);
  else if (statSync(path).size === 0) throw empty(path);
  return { path, Database };
}

/** Checks permissions. SQLite would report a file of another user as a disk error. */
function checkRights(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) throw new DatabaseFileError(`There is no folder ${folder}. Create the folder first.`);
  if (existsSync(path)) {
    if (!statSync(path).isFile()) throw new DatabaseFileError(`${path} is not a file.`);
    for (const file of [path, `${path}-wal`]) {
      if (existsSync(file) && !permits(file))
        throw new DatabaseFileError(
          `${file} cannot be opened for reading and writing. Check its owner and its permissions.`,
        );
    }
  }
  if (!permits(folder))
    throw new DatabaseFileError(`The folder ${folder} cannot be written to. Check its owner and its permissions.`);
}

function permits(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Creates the file under another name first, so that a process that is killed here does not leave an empty file. */
function create(Database: typeof DatabaseSync, path: string, { applicationId, version, schema }: FileKind): void {
  const unfinished = `${path}${unfinishedMark}${randomUUID()}`;
  try {
    // SQLite gives its logs the mode of the file.
    writeFileSync(unfinished, '', { mode: 0o600, flag: 'wx' });
    const database = new Database(unfinished);
    database.exec(
      `BEGIN; ${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; COMMIT`,
    );
    database.close();
    place(unfinished, path);
  } catch (error) {
    // Ignore the error if another process created the file first and removed this unfinished file.
    if (!existsSync(path)) throw explainSqlite(error, path);
  } finally {
    for (const suffix of ['', '-journal']) rmSync(`${unfinished}${suffix}`, { force: true });
  }
}

/** Renames a file, unless the new name exists. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // Some file systems do not support links.
    if (!existsSync(to) && existsSync(from)) renameSync(from, to);
    else if (!existsSync(to)) throw error;
  }
}

const unfinishedMark = '.new-';

/** Removes files left by processes that were killed during `create`. */
function removeUnfinished(path: string): void {
  const start = `${basename(path)}${unfinishedMark}`;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(start)) rmSync(join(dirname(path), name), { force: true });
}

/** Locks the file for this process. */
function lock(database: DatabaseSync): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT');
}

/**
 * With `sync`, uses a write-ahead log, which needs one sync per transaction. Otherwise, uses a rollback journal, because the
 * damaged end of a log would be lost. Both modes write the log of an earlier process into the file.
 */
function setMode(database: DatabaseSync, sync: boolean): void {
  // The mode comes first, so that the log of an earlier process is written into the file with a sync.
  database.exec(`PRAGMA journal_mode = ${sync ? 'WAL' : 'PERSIST'}; PRAGMA synchronous = ${sync ? 'FULL' : 'OFF'}`);
  database.exec(`PRAGMA cell_size_check = ON; PRAGMA wal_autocheckpoint = ${maxLogPages}`);
  database.exec('PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -16000; BEGIN IMMEDIATE; COMMIT');
  if (sync) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function checkKind(database: DatabaseSync, path: string, { what, applicationId, version }: FileKind): void {
  const found = pragma(database, 'application_id');
  if (found !== applicationId) throw new DatabaseFileError(`${path} is not ${what}. Choose another file.`);
  const own = pragma(database, 'user_version');
  if (Number(own) > version)
    throw new DatabaseFileError(
      `${path} was written by a newer version of Carillon (format ${own}; this version supports ${version}). Update, or choose another file.`,
    );
  if (Number(own) > 0 && Number(own) < version)
    throw new DatabaseFileError(
      `${path} was written by an earlier version of Carillon (format ${own}; this version supports ${version}). Choose another file.`,
    );
  if (own !== version) throw damaged(path);
}

function checkStructure(database: DatabaseSync, path: string): void {
  if (pragma(database, 'quick_check') !== 'ok') throw damaged(path);
}

function pragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function empty(path: string): DatabaseFileError {
  return new DatabaseFileError(
    `${path} is empty, so its contents are lost. Restore the file from a copy, or delete it to begin with a new file.`,
  );
}

function damaged(path: string): DatabaseFileError {
  return new DatabaseFileError(`${path} is damaged. Restore the file from a copy, or choose another file.`);
}

/** Converts a SQLite error to an error with a message for users. Returns other errors unchanged. */
export function explainSqlite(error: unknown, path: string): unknown {
  // A damaged value can exceed the range of JavaScript numbers.
  if (error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE') return damaged(path);
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return error;
  return new DatabaseFileError(sentence(code, error.message, path), { cause: error });
}

/** Result code of a SQLite error. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  if (!('code' in error)) return undefined;
  if (error.code === 'ENOSPC') return codes.full;
  if (error.code !== 'ERR_SQLITE_ERROR') return undefined;
  return messages.find(([message]) => error.message.startsWith(message))?.[1] ?? codes.error;
}

function sentence(code: number, message: string, path: string): string {
  switch (code) {
    case codes.busy:
      return `${path} is in use by another process. Stop that process first.`;
    case codes.full:
      return `The disk is full, so ${path} could not be changed. Free some space and try again.`;
    case codes.foreign:
      return `${path} is not a SQLite database, or its beginning is damaged. Choose another file.`;
    case codes.readOnly:
    case codes.cannotOpen:
      return `${path} cannot be written. Check its owner and its permissions.`;
    case codes.inputOutput:
      return `${path} could not be read or written: ${message}.`;
    default:
      return `${path} is damaged (${message}). Restore the file from a copy, or choose another file.`;
  }
}
