/// <reference types="node" />
import type { StatementSync } from 'node:sqlite';
import { checksum, DatabaseFileError, type FileKind, SqliteFile } from '../../shared/sqlite-file.ts';

/** Journal entry for a step of a row. */
export interface Entry {
  row: string;
  step: string;
  state: 'started' | 'not done' | 'done';
  /** Values that were sent, as `writeValues` wrote them. */
  sent: string | null;
  /** Identifies the request. */
  marker: string;
  /** Result of `send` or `find`. */
  id?: number | string;
}

/**
 * Row and step are stored as JSON, because SQLite text would lose NUL and lone surrogates, so that different rows could become
 * equal.
 */
const kind: FileKind = {
  what: 'a journal of carillon/journal',
  applicationId: 0x4361_4a6f,
  version: 1,
  schema: `CREATE TABLE entry (
    "row" TEXT NOT NULL, step TEXT NOT NULL, state TEXT NOT NULL, sent TEXT, marker TEXT NOT NULL, id TEXT, checksum INTEGER NOT NULL,
    PRIMARY KEY ("row", step)) STRICT, WITHOUT ROWID`,
};

interface StoredEntry {
  row: string;
  step: string;
  state: Entry['state'];
  sent: string | null;
  marker: string;
  id: string | null;
  checksum: number;
}

interface Waiting {
  entry: Entry;
  resolve(): void;
  reject(reason: unknown): void;
}

/** The entries of a journal, in a SQLite file. */
export class JournalFile {
  readonly #file: SqliteFile;
  /** A field, because Node before 22.16 finalizes a statement that nothing refers to, even during `iterate()`. */
  readonly #all: StatementSync;
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;
  #waiting: Waiting[] = [];
  #isOpen = true;

  private constructor(file: SqliteFile) {
    this.#file = file;
    const { database } = file;
    this.#all = database.prepare('SELECT * FROM entry');
    for (const stored of this.#all.iterate()) this.#read(stored);
    this.#select = database.prepare('SELECT * FROM entry WHERE "row" = ? AND step = ?');
    this.#upsert = database.prepare('INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  /** @param sync - whether an entry is flushed to disk before `write` resolves */
  static async open(path: string, { sync }: { sync: boolean }): Promise<JournalFile> {
    const file = await SqliteFile.open(path, kind, { sync });
    try {
      // Check all entries now, because a damaged key would hide its entry.
      return file.read(() => new JournalFile(file));
    } catch (error) {
      file.close();
      throw error;
    }
  }

  get(row: string, step: string): Entry | undefined {
    this.#checkOpen();
    const stored = this.#file.read(() => this.#select.get(JSON.stringify(row), JSON.stringify(step)));
    return stored && this.#read(stored);
  }

  /** Resolves when the entry is stored. Entries written in the same turn of the event loop share a transaction. */
  write(entry: Entry): Promise<void> {
    this.#checkOpen();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#flush();
    this.#isOpen = false;
    this.#file.close();
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    try {
      this.#file.run(() => {
        for (const { entry } of waiting) this.#store(entry);
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    for (const { resolve } of waiting) resolve();
  }

  #store({ row, step, state, sent, marker, id }: Entry): void {
    const [key, name] = [JSON.stringify(row), JSON.stringify(step)];
    const stored = id === undefined ? null : JSON.stringify(id);
    this.#upsert.run(key, name, state, sent, marker, stored, checksum(sent, key, name, state, marker, stored));
  }

  #read(columns: object): Entry {
    const { row, step, state, sent, marker, id, ...rest } = columns as StoredEntry;
    if (checksum(sent, row, step, state, marker, id) !== rest.checksum) throw this.#file.damaged();
    return {
      row: JSON.parse(row),
      step: JSON.parse(step),
      state,
      sent,
      marker,
      ...(id !== null && { id: JSON.parse(id) }),
    };
  }

  #checkOpen(): void {
    if (!this.#isOpen) throw new DatabaseFileError(`The journal ${this.#file.path} is closed.`);
  }
}
