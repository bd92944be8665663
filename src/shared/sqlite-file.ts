import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

/** A database file cannot be used or changed. The message says why and what to do. */
export class DatabaseFileError extends Error {
  override readonly name = 'DatabaseFileError';

  /** Whether another process is using the file. */
  get isHeld(): boolean {
    const { cause } = this;
    return cause instanceof Error && 'errcode' in cause && Number(cause.errcode) % 0x100 === codes.busy;
  }
}

/** Type of a file. SQLite stores the two numbers in the file's header. */
export interface FileKind {
  /** Name in messages, such as `a journal of carillon`. */
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
const codes = { busy: 5, readOnly: 8, inputOutput: 10, damaged: 11, full: 13, cannotOpen: 14, foreign: 26 };

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
   * Opens a file and checks its structure. Creates it if it does not exist.
   *
   * @throws `DatabaseFileError` if another process uses the file, it is damaged or has another type, permissions are missing, or
   * this version of Node has no SQLite
   */
  static async open(file: string, kind: FileKind, { sync }: OpenOptions): Promise<SqliteFile> {
    // SQLite opens its log later, when the working directory may have changed.
    const path = resolve(file);
    const Database = await loadSqlite(kind);
    checkRights(path);
    const isNew = !existsSync(path);
    if (isNew) create(Database, path, kind);
    else if (statSync(path).size === 0)
      throw new DatabaseFileError(
        `${path} is empty, so its contents are lost. Restore it from a copy, or delete it to begin with an empty one.`,
      );
    let database: DatabaseSync | undefined;
    try {
      database = new Database(path);
      lock(database, sync);
      checkKind(database, path, kind);
      checkStructure(database, path);
      removeUnfinished(path);
      return new SqliteFile(path, database);
    } catch (error) {
      database?.close();
      throw explain(error, path);
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
      throw explain(error, this.path);
    }
  }

  /** Runs a function that only reads. */
  read<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw explain(error, this.path);
    }
  }

  /** Converts a SQLite error to a `DatabaseFileError`. Returns other errors unchanged. */
  explain(error: unknown): unknown {
    return explain(error, this.path);
  }

  /** Creates the error for a row that does not match its checksum. */
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

/** Checksum of the columns of a row. SQLite itself does not detect a flipped bit in a value. The first column can be long. */
export function checksum(text: string | null, ...columns: (string | number | null)[]): number {
  return crc32(text ?? '', crc32(columns.join('\n')));
}

async function loadSqlite({ what }: FileKind): Promise<typeof DatabaseSync> {
  const sqlite = await import('node:sqlite').catch(() => undefined);
  if (sqlite?.DatabaseSync) return sqlite.DatabaseSync;
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  const reason = `it is kept in SQLite, which Node ${process.version} does not have`;
  throw new DatabaseFileError(`${subject} needs Node 22.13 or newer: ${reason}.`);
}

/** Checks permissions. SQLite would report a file of another user as a disk error. */
function checkRights(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) throw new DatabaseFileError(`There is no folder ${folder}. Create it first.`);
  if (existsSync(path)) {
    if (!statSync(path).isFile()) throw new DatabaseFileError(`${path} is not a file.`);
    if (!permits(path))
      throw new DatabaseFileError(`${path} cannot be read and written. Check its owner and its permissions.`);
  }
  if (!permits(folder))
    throw new DatabaseFileError(`The folder ${folder} cannot be written. Check its owner and its permissions.`);
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
    const database = new Database(unfinished);
    database.exec(
      `BEGIN; ${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; COMMIT`,
    );
    database.close();
    place(unfinished, path);
  } catch (error) {
    // Ignore the error if another process created the file first and removed this one.
    if (!existsSync(path)) throw explain(error, path);
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

/**
 * Locks the file for this process. With `sync`, uses a write-ahead log, which needs one sync per transaction. Otherwise, uses a
 * rollback journal, because the damaged end of a log would be lost.
 */
function lock(database: DatabaseSync, sync: boolean): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON');
  database.exec(`PRAGMA journal_mode = ${sync ? 'WAL' : 'PERSIST'}; PRAGMA synchronous = ${sync ? 'FULL' : 'OFF'}`);
  database.exec('PRAGMA journal_size_limit = 4194304; PRAGMA cache_size = -16000; BEGIN IMMEDIATE; COMMIT');
}

function checkKind(database: DatabaseSync, path: string, { what, applicationId, version }: FileKind): void {
  const found = pragma(database, 'application_id');
  if (found !== applicationId) throw new DatabaseFileError(`${path} is not ${what}. Choose another file.`);
  const own = pragma(database, 'user_version');
  if (Number(own) > version)
    throw new DatabaseFileError(
      `${path} was written by a newer version of Carillon (format ${own}; this version knows ${version}). Update, or choose another file.`,
    );
  if (own !== version) throw damaged(path);
}

function checkStructure(database: DatabaseSync, path: string): void {
  if (pragma(database, 'quick_check') !== 'ok') throw damaged(path);
}

function pragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function damaged(path: string): DatabaseFileError {
  return new DatabaseFileError(`${path} is damaged. Restore it from a copy, or choose another file.`);
}

/** Converts a SQLite error to one with a sentence for users. Returns other errors unchanged. */
function explain(error: unknown, path: string): unknown {
  // A damaged value can exceed the range of JavaScript numbers.
  if (error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE') return damaged(path);
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return error;
  return new DatabaseFileError(sentence(error.errcode & 0xff, error.message, path), { cause: error });
}

function sentence(code: number, message: string, path: string): string {
  switch (code) {
    case codes.busy:
      return `${path} is in use by another process. Stop it first.`;
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
      return `${path} is damaged (${message}). Restore it from a copy, or choose another file.`;
  }
}
