import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inject, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/jobs/store/postgres.ts';
import type { Sql } from '../../../src/jobs/store/sql.ts';
import { createStore } from '../../../src/jobs/store/sql-store.ts';
import { openSqlite } from '../../../src/jobs/store/sqlite.ts';
import type { RowOutcome, Store } from '../../../src/jobs/store/store.ts';
import type { StoredRow } from '../../../src/jobs/store/tables.ts';
import { createDatabase, missingPostgres } from '../start-postgres.ts';

/** Creates a temporary folder, and removes it after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-jobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Changes the file of the jobs in a folder, as another program could. */
export function changeStore(folder: string, statements: string): void {
  const database = new DatabaseSync(join(folder, 'jobs.sqlite'), { timeout: 5_000 });
  database.exec(statements);
  database.close();
}

export function readStore(folder: string, statement: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'jobs.sqlite'), { timeout: 5_000 });
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

/** One place of jobs that several stores can open, as several processes do. */
export type Place = () => Promise<Store>;

/** The two databases. Each call creates an empty place. A test can change how the statements run. */
export const databases = [
  {
    name: 'SQLite',
    isMissing: false,
    async create(change = (sql: Sql) => sql): Promise<Place> {
      const folder = temporaryFolder();
      return async () => openedStore(createStore(change(openSqlite(folder))));
    },
  },
  {
    name: 'Postgres',
    isMissing: missingPostgres !== undefined,
    async create(change = (sql: Sql) => sql): Promise<Place> {
      const address = await createDatabase(inject('postgresPort'));
      return async () => openedStore(createStore(change(await openPostgres(address))));
    },
  },
] as const;

async function openedStore(store: Store): Promise<Store> {
  onTestFinished(() => store.close());
  await store.create();
  return store;
}

/** Plans a job with some keys. Returns its ID. */
export async function planKeys(
  store: Store,
  keys: readonly string[],
  settings: { name?: string; rate?: number; concurrency?: number; priority?: number; startAt?: number } = {},
): Promise<number> {
  const id = await store.plan(newJob(settings), async (insert) => {
    await insert(
      keys.map((key, number) => ({
        number,
        line: number + 2,
        key,
        state: 'planned',
        reason: null,
        values: { name: key },
      })),
    );
    return {
      total: keys.length,
      plan: { rows: keys.length, planned: keys.length, leftOut: {}, repeated: 0, sameSource: [] },
    };
  });
  return id ?? -1;
}

export function newJob(settings: {
  name?: string;
  rate?: number;
  concurrency?: number;
  priority?: number;
  startAt?: number;
}) {
  const { name = 'tags', rate = null, concurrency = null, priority = 0, startAt = null } = settings;
  return {
    name,
    rate,
    concurrency,
    priority,
    startAt,
    retention: null,
    seed: randomUUID(),
    account: 'a',
    service: 's',
    queue: 'q',
    definition: 'tags',
    version: 1,
    steps: ['tag'],
    checksum: 'c',
    options: {},
    deadline: 100,
    lookupAfter: 200,
  };
}

/** A worker's number. */
let workers = 100;
export async function newWorker(store: Store): Promise<number> {
  workers += 1;
  await store.register({ id: workers, host: 'h', process: 1, queues: ['q'] });
  return workers;
}

/** Claims rows as a worker that has seen nothing yet. */
export async function claim(store: Store, job: number, worker: number, count = 100, seen = 0) {
  return store.claim({ job, worker, count, seen, place: await store.place(), needsList: false });
}

/** The outcome of a claimed row. */
export function outcomeOf(row: StoredRow, outcome: Partial<RowOutcome> & Pick<RowOutcome, 'state'>): RowOutcome {
  return { job: row.job, number: row.number, attempt: row.attempt, worker: row.worker ?? 0, ...outcome };
}

export async function statesOf(store: Store, job: number): Promise<Record<string, string>> {
  return Object.fromEntries((await store.rows(job, {})).map(({ key, state }) => [key, state]));
}
