import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Params } from '../../catalogue/check-params.ts';
import { ConfigurationError } from '../exit-codes.ts';
import type { EachRow } from './rows.ts';

/** Rows of a page. */
const pageSize = 500;

/** The rows of a file as they were read. They are in a temporary file of SQLite, so memory stays flat. */
export class RowList {
  /** Names of the columns of CSV. */
  columns: readonly string[] = [];
  /** Parameters that all rows share, and that are not kept with each of them. */
  readonly fixed: Params;
  readonly #database: DatabaseSync;
  readonly #count: StatementSync;
  readonly #add: StatementSync;
  readonly #page: StatementSync;

  private constructor(database: DatabaseSync, fixed: Params) {
    this.fixed = fixed;
    this.#database = database;
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000');
    database.exec('CREATE TABLE keys (key TEXT PRIMARY KEY, times INTEGER NOT NULL) STRICT, WITHOUT ROWID');
    database.exec('CREATE TABLE rows (number INTEGER PRIMARY KEY, row TEXT NOT NULL) STRICT; BEGIN');
    this.#count = database.prepare(
      'INSERT INTO keys VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times',
    );
    this.#add = database.prepare('INSERT INTO rows (row) VALUES (?)');
    this.#page = database.prepare(`SELECT number, row FROM rows WHERE number > ? ORDER BY number LIMIT ${pageSize}`);
  }

  /** @throws `ConfigurationError` if this version of Node has no SQLite */
  static async open(fixed: Params): Promise<RowList> {
    const sqlite = await import('node:sqlite').catch(() => undefined);
    if (!sqlite?.DatabaseSync) {
      throw new ConfigurationError(
        `--each needs Node 22.13 or newer: its job is kept in SQLite, which Node ${process.version} does not have. All other calls work.`,
      );
    }
    // SQLite removes a file without a name when it is closed, also at the end of the process.
    return new RowList(new sqlite.DatabaseSync(''), fixed);
  }

  /** Counts a key. Returns the number of its occurrences so far. */
  countKey(key: string): number {
    return Number(this.#count.get(key)?.times);
  }

  add(row: EachRow): void {
    this.#add.run(JSON.stringify({ ...row, params: this.ownParams(row) }));
  }

  /** Returns the rows in order. */
  *pages(): Generator<EachRow[]> {
    for (let last = 0; ; ) {
      const found = this.#page.all(last);
      if (found.length === 0) return;
      yield found.map(({ row }) => {
        const { params, ...rest } = JSON.parse(String(row));
        return { ...rest, params: { ...this.fixed, ...params } };
      });
      last = Number(found.at(-1)?.number);
    }
  }

  /** The parameters that a row does not share with all others. */
  ownParams({ params }: EachRow): Params {
    return Object.fromEntries(Object.entries(params).filter(([name, value]) => value !== this.fixed[name]));
  }

  close(): void {
    this.#database.close();
  }
}
