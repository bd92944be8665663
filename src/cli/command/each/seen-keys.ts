import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ConfigurationError } from '../exit-codes.ts';

/** Counts how often each key occurred. The keys are in a temporary file of SQLite, so memory stays flat. */
export class SeenKeys {
  readonly #database: DatabaseSync;
  readonly #count: StatementSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000');
    database.exec('CREATE TABLE seen (key TEXT PRIMARY KEY, times INTEGER NOT NULL) STRICT, WITHOUT ROWID; BEGIN');
    this.#count = database.prepare(
      'INSERT INTO seen VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times',
    );
  }

  /** @throws `ConfigurationError` if this version of Node has no SQLite */
  static async open(): Promise<SeenKeys> {
    const sqlite = await import('node:sqlite').catch(() => undefined);
    if (!sqlite?.DatabaseSync) {
      throw new ConfigurationError(
        `--each needs Node 22.13 or newer: its journal is kept in SQLite, which Node ${process.version} does not have. All other calls work.`,
      );
    }
    // SQLite removes a file without a name when it is closed, also at the end of the process.
    return new SeenKeys(new sqlite.DatabaseSync(''));
  }

  /** Counts a key. Returns the number of its occurrences so far. */
  add(key: string): number {
    return Number(this.#count.get(key)?.times);
  }

  close(): void {
    this.#database.close();
  }
}
