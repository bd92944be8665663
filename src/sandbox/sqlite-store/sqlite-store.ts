import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { checksum, DatabaseFileError, type FileKind, SqliteFile } from '../../shared/sqlite-file.ts';
import type { Store, StoredArea, StoredChange } from '../store.ts';

export interface SqliteStoreOptions {
  /** Whether a write waits until it is on disk, so that it survives a power failure. @default false */
  sync?: boolean;
}

/** Name of the file in the folder of a store. */
export const storeFile = 'sandbox.sqlite';

/**
 * Names of areas and text keys are stored as JSON, because SQLite texts lose NUL and lone surrogates. `place` is the order in
 * which rows were first written.
 */
const kind: FileKind = {
  what: 'data of carillon-sandbox',
  applicationId: 0x4361_5361,
  version: 2,
  schema: `
    CREATE TABLE record (area TEXT NOT NULL, name TEXT NOT NULL, key ANY NOT NULL, value TEXT NOT NULL, place INTEGER NOT NULL,
      checksum INTEGER NOT NULL, PRIMARY KEY (area, name, key)) STRICT, WITHOUT ROWID`,
};

type Key = string | number;

/** The row is a type, because TypeScript does not take what `node:sqlite` returns for an interface. */
type Row = {
  area: string;
  name: string;
  key: Key;
  value: string;
  place: number;
  checksum: number;
};

/** Keeps the data of a sandbox in a folder, in a SQLite file. */
export class SqliteStore implements Store {
  /** Whether the folder had data when it was opened. */
  readonly hadData: boolean;
  readonly #file: SqliteFile;
  readonly #read: StatementSync;
  readonly #upsert: StatementSync;
  readonly #remove: StatementSync;
  readonly #removeArea: StatementSync;
  #lastPlace = 0;

  private constructor(file: SqliteFile) {
    const { database } = file;
    this.#file = file;
    // Kept, because Node before 22.16 finalizes a statement that nothing refers to, even during `iterate()`.
    this.#read = database.prepare('SELECT * FROM record ORDER BY place');
    this.#upsert = database.prepare(
      `INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value, checksum = excluded.checksum - excluded.place + place`,
    );
    this.#remove = database.prepare('DELETE FROM record WHERE area = ? AND name = ? AND key = ?');
    this.#removeArea = database.prepare('DELETE FROM record WHERE area = ?');
    this.hadData = database.prepare('SELECT 1 FROM record').get() !== undefined;
  }

  /**
   * Opens a folder. Creates it if it does not exist.
   *
   * @throws `DatabaseFileError` if another process uses the folder, if its permissions forbid access, or if its file is
   * damaged
   */
  static async open(folder: string, { sync = false }: SqliteStoreOptions = {}): Promise<SqliteStore> {
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DatabaseFileError(
        `The folder ${folder} cannot be created. Check its owner and its permissions. (${reason})`,
      );
    }
    refuseOldFormat(folder);
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
      for (const row of this.#read.iterate() as IterableIterator<Row>) {
        const { area, name, key, value, place } = row;
        if (checksum(value, area, name, key) + place !== row.checksum) throw this.#file.damaged();
        this.#lastPlace = Math.max(this.#lastPlace, place);
        yield { ...areaOf(area), table: name, key: givenKey(key), value: JSON.parse(value) };
      }
    } catch (error) {
      throw this.#file.explain(error);
    }
  }

  write(changes: readonly StoredChange[]): void {
    this.#file.run(() => {
      for (const change of changes) this.#apply(change);
    });
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  #apply({ table, key, value, ...rest }: StoredChange): void {
    const area = nameOf(rest);
    if (table === undefined || key === undefined) this.#removeArea.run(area);
    else if (value === undefined) this.#remove.run(area, table, storedKey(key));
    else {
      const [stored, text] = [storedKey(key), JSON.stringify(value)];
      this.#lastPlace += 1;
      const sum = checksum(text, area, table, stored) + this.#lastPlace;
      this.#upsert.run(area, table, stored, text, this.#lastPlace, sum);
    }
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

/** Refuses data in the format from before SQLite, which no release wrote. */
function refuseOldFormat(folder: string): void {
  if (readdirSync(folder).some((name) => /^(?:journal|snapshot)-\d+\.jsonl$/.test(name)))
    throw new DatabaseFileError(
      `${folder} has data in an earlier format, which this version does not read. Choose another folder.`,
    );
}
