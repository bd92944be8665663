import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { messageOf } from '../../shared/message-of.ts';
import { DatabaseFileError, type FileKind, SqliteFile } from '../../shared/sqlite-file.ts';
import type { Store, StoredArea, StoredChange } from './store.ts';

export interface SqliteStoreOptions {
  /** Whether a write waits until its data are on disk, so that they survive a power failure. @default false */
  sync?: boolean;
}

/** Name of the file in the folder of a store. */
export const storeFile = 'sandbox.sqlite';

/**
 * One row per record. `place` is the order in which records were first written. Names of areas and string keys are stored as JSON,
 * because SQLite strings lose NUL and lone surrogates.
 */
const kind: FileKind = {
  what: 'a carillon-sandbox data file',
  applicationId: 0x4361_5361,
  version: 2,
  schema: `
    CREATE TABLE record (place INTEGER PRIMARY KEY, area TEXT NOT NULL, name TEXT NOT NULL, key ANY NOT NULL,
      value TEXT NOT NULL, UNIQUE (area, name, key)) STRICT`,
};

type Key = string | number;

/** A type alias, because TypeScript does not accept the rows of `node:sqlite` as an interface. */
type Row = {
  area: string;
  name: string;
  key: Key;
  value: string;
};

/** Keeps the data of a sandbox in a folder, in a SQLite file. */
export class SqliteStore implements Store {
  /** Whether the folder contained data when it was opened. */
  readonly hadData: boolean;
  readonly #file: SqliteFile;
  readonly #read: StatementSync;
  readonly #upsert: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeArea: StatementSync;

  private constructor(file: SqliteFile) {
    const { database } = file;
    this.#file = file;
    // Node before 22.16 finalizes a statement without references, even during `iterate()`.
    this.#read = database.prepare('SELECT area, name, key, value FROM record ORDER BY place');
    this.#upsert = database.prepare(
      `INSERT INTO record (area, name, key, value) VALUES (?, ?, ?, ?)
       ON CONFLICT (area, name, key) DO UPDATE SET value = excluded.value`,
    );
    this.#remove = database.prepare('DELETE FROM record WHERE area = ? AND name = ? AND key = ?');
    this.#removeArea = database.prepare('DELETE FROM record WHERE area = ?');
    this.hadData = database.prepare('SELECT 1 FROM record').get() !== undefined;
  }

  /**
   * Opens a folder, and creates the folder if it does not exist.
   *
   * @throws `DatabaseFileError` if another process uses the folder, if its permissions forbid access, or if its file is
   * damaged
   */
  static async open(folder: string, { sync = false }: SqliteStoreOptions = {}): Promise<SqliteStore> {
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      const reason = messageOf(error);
      throw new DatabaseFileError(
        `The folder ${folder} cannot be created. Check its owner and its permissions. (${reason})`,
      );
    }
    const file = await SqliteFile.open(join(folder, storeFile), kind, { sync });
    try {
      return file.read(() => new SqliteStore(file));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  *read(): Generator<StoredChange> {
    try {
      for (const row of this.#read.iterate() as IterableIterator<Row>)
        yield { ...areaOf(row.area), table: row.name, key: givenKey(row.key), value: JSON.parse(row.value) };
    } catch (error) {
      throw error instanceof SyntaxError ? this.#file.damaged() : this.#file.explain(error);
    }
  }

  write(changes: readonly StoredChange[]): void {
    this.#file.run(() => {
      for (const change of changes) this.#apply(change);
    });
  }

  close(): void {
    this.#file.close();
  }

  #apply({ table, key, value, ...rest }: StoredChange): void {
    const area = nameOf(rest);
    if (table === undefined || key === undefined) this.#removeArea.run(area);
    else if (value === undefined) this.#remove.run(area, table, storedKey(key));
    else this.#upsert.run(area, table, storedKey(key), JSON.stringify(value));
  }
}

function nameOf({ world, snapshot }: StoredArea): string {
  return JSON.stringify(snapshot === undefined ? [world] : [world, snapshot]);
}

function areaOf(name: string): StoredArea {
  const [world, snapshot]: [string, string?] = JSON.parse(name);
  return snapshot === undefined ? { world } : { world, snapshot };
}

function storedKey(key: Key): Key {
  return typeof key === 'number' ? key : JSON.stringify(key);
}

function givenKey(key: Key): Key {
  return typeof key === 'number' ? key : JSON.parse(key);
}
