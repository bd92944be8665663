import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Params } from '../../catalogue/check-names.ts';
import { replaceInvisible } from '../../text/invisible.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { EachRow } from './rows.ts';

/** Number of rows in a page. */
const pageSize = 500;

/** State of a row. `open` rows are still to be sent, and `before` rows were done in an earlier run. */
export type RowState = 'open' | 'before' | 'done' | 'rejected' | 'unknown';

/**
 * The rows of a file as they were read, with their outcomes. A temporary SQLite file stores the rows, so that memory use does
 * not grow with the file.
 */
export class RowList {
  /** CSV column names. */
  columns: readonly string[] = [];
  /** Parameters that all rows share. The rows are stored without these parameters. */
  readonly fixed: Params;
  readonly #database: DatabaseSync;
  // The statements are kept, because SQLite would otherwise finalize them while they are in use.
  readonly #statements: Readonly<Record<'countKey' | 'add' | 'set' | 'page' | 'counts', StatementSync>>;

  private constructor(database: DatabaseSync, fixed: Params) {
    this.fixed = fixed;
    this.#database = database;
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000;
      CREATE TABLE keys (key TEXT PRIMARY KEY, times INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE rows (number INTEGER PRIMARY KEY, state TEXT NOT NULL, problem TEXT, row TEXT NOT NULL) STRICT; BEGIN`);
    const states = 'state IN (SELECT value FROM json_each(?))';
    this.#statements = {
      countKey: database.prepare(
        'INSERT INTO keys VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1 RETURNING times',
      ),
      add: database.prepare('INSERT INTO rows (state, problem, row) VALUES (?, ?, ?)'),
      set: database.prepare('UPDATE rows SET state = ?, problem = ? WHERE number = ?'),
      page: database.prepare(`SELECT * FROM rows WHERE number > ? AND ${states} ORDER BY number LIMIT ${pageSize}`),
      counts: database.prepare('SELECT state, count(*) AS count FROM rows GROUP BY state'),
    };
  }

  /** @throws `CommandError` if this version of Node has no SQLite */
  static async open(fixed: Params): Promise<RowList> {
    const sqlite = await import('node:sqlite').catch(() => undefined);
    if (!sqlite?.DatabaseSync) {
      throw new CommandError(
        exitCodes.configuration,
        `--each needs Node 22.13 or newer, because its job is stored in SQLite, which Node ${process.version} does not include. Calls without --each work in this version of Node.`,
      );
    }
    // SQLite removes a file without a name when the file is closed, even at the end of the process.
    return new RowList(new sqlite.DatabaseSync(''), fixed);
  }

  /** Counts a key. Returns the number of its occurrences so far. */
  countKey(key: string): number {
    return Number(this.#statements.countKey.get(key)?.times);
  }

  add({ problem, ...row }: EachRow): void {
    const state: RowState = problem === undefined ? 'open' : 'rejected';
    this.#statements.add.run(state, problem ?? null, JSON.stringify({ ...row, params: this.ownParams(row.params) }));
  }

  /** @param problem - why the row is rejected or unknown; the text may be written by others */
  set({ number }: ListedRow, state: RowState, problem?: string): void {
    this.#statements.set.run(state, problem === undefined ? null : replaceInvisible(problem), number);
  }

  /** Returns the rows in the given states page by page, in order. */
  *pages(...states: RowState[]): Generator<ListedRow[]> {
    for (let last = 0; ; ) {
      const found = this.#statements.page
        .all(last, JSON.stringify(states))
        .map(({ number, state, problem, row }): ListedRow => {
          const { params, ...read } = JSON.parse(String(row));
          const known = { ...read, number: Number(number), state: String(state), params: { ...this.fixed, ...params } };
          return problem === null ? known : { ...known, problem: String(problem) };
        });
      if (found.length === 0) return;
      yield found;
      last = found.at(-1)?.number ?? last;
    }
  }

  *rows(...states: RowState[]): Generator<ListedRow> {
    for (const page of this.pages(...states)) yield* page;
  }

  /** Returns the number of rows in each state. */
  counts(): Record<RowState, number> {
    const found = this.#statements.counts.all().map(({ state, count }) => [state, Number(count)]);
    return { open: 0, before: 0, done: 0, rejected: 0, unknown: 0, ...Object.fromEntries(found) };
  }

  /** Returns the parameters of a row that are not shared by all rows. */
  ownParams(params: Params): Params {
    return Object.fromEntries(Object.entries(params).filter(([name, value]) => value !== this.fixed[name]));
  }

  close(): void {
    this.#database.close();
  }
}

/** A row of the list. */
export interface ListedRow extends EachRow {
  readonly state: string;
  readonly number: number;
}
