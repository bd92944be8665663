/// <reference types="node" />
import { Socket } from 'node:net';
import type { PoolClient, PoolConfig } from 'pg';
import { JobsError } from '../jobs-error.ts';
import { within } from '../waiting.ts';
import type { Batch, Dialect, Parameter, Run, Sql } from './sql.ts';
import { createTables } from './tables.ts';

/** Schema of the tables. */
const schema = 'carillon_jobs';

/** Format of the tables. */
const version = 1;

/**
 * `silence`: milliseconds without a heartbeat after which a worker is declared dead. `idle`: milliseconds for which a transaction may
 * wait for its program. Without this limit, a suspended process could hold locks that all other processes wait for. Changed only by
 * tests.
 */
export const lifetimes = { silence: 30_000, idle: 5_000 };

/** Milliseconds that a statement may take. */
const statementTime = 35_000;

/** Milliseconds for which closing waits for the database. */
const closingTime = 1_000;

/** Identity of the server, its timeline, the database and the tables. A restore, a copy or a failover changes this identity. */
const place = `concat_ws('/', (SELECT c.system_identifier FROM pg_control_system() c), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
  (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()),
  to_regclass('${schema}.jobs')::oid, to_regclass('${schema}.rows')::oid, to_regclass('${schema}.workers')::oid)`;

const dialect: Dialect = {
  prefix: `${schema}.`,
  identity: 'integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  rowOptions: 'WITH (fillfactor = 85)',
  now: '(extract(epoch FROM clock_timestamp()) * 1000)::float8',
  lock: 'FOR NO KEY UPDATE',
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  indexedBy: () => '',
  batch: (n, columns) =>
    `(SELECT ${Object.entries(columns)
      .map(([column, type], index) => `(e.row->>${index})::${type} AS ${column}`)
      .join(', ')} FROM jsonb_array_elements($${n}::jsonb) AS e (row)) AS g`,
  place,
  isUnsafe: `(current_setting('synchronous_commit') = 'off' OR current_setting('fsync') = 'off')`,
};

/** Opens the jobs in a Postgres database. `create` creates the tables. Any number of machines can open the database. */
export async function openPostgres(address: string): Promise<Sql> {
  checkAddress(address);
  const { default: pg } = await import('pg');
  const sockets = new Set<Socket>();
  const config: PoolConfig = {
    connectionString: address,
    application_name: 'carillon jobs',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: statementTime,
    max: 4,
    // Keep the sockets, because an unresponsive connection can only be destroyed.
    stream() {
      const socket = new Socket();
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      return socket;
    },
  };
  const pool = new pg.Pool(config);
  // The pool replaces a lost idle connection. Without a listener, its error would end the process. The same applies to a connection
  // that is lost between two statements of a transaction: its next statement rejects.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  const run: Run = async (text, parameters) => (await pool.query(text, given(parameters))).rows;

  async function transaction<Result>(act: (run: Run) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    try {
      // A pooler may give each transaction another session, so settings are made only within the transaction.
      await client.query(
        `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${lifetimes.idle}`,
      );
      const result = await act(async (text, parameters) => (await client.query(text, given(parameters))).rows);
      await client.query('COMMIT');
      client.release();
      return result;
    } catch (error) {
      await end(client);
      throw error;
    }
  }
  const { host, port, database } = new pg.Client({ connectionString: address });
  const location = `Postgres at ${host}:${port}/${database}`;
  return {
    dialect,
    location,
    silence: lifetimes.silence,
    run,
    transaction,
    place: async () => {
      const [found] = await run<{ place: string; isStandby: boolean }>(
        // A standby writes no WAL. The control file has the old timeline for minutes after a promotion.
        `SELECT pg_is_in_recovery() AS "isStandby", CASE WHEN NOT pg_is_in_recovery() THEN ${place} END AS place`,
      );
      if (found?.isStandby !== false) throw Object.assign(new Error('the server is a standby'), { code: '25006' });
      return found.place;
    },
    async analyze() {
      await run(`ANALYZE ${schema}.rows`).catch(() => undefined);
    },
    isNew: async () => (await readVersion(run)) === undefined,
    create: () =>
      transaction(async (one) => {
        // Prevent programs that start at the same time from both creating the tables.
        await one('SELECT pg_advisory_xact_lock(hashtext($1))', [schema]);
        if ((await readVersion(one)) !== undefined) return;
        const [found] = await one<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
        if (found?.encoding !== 'UTF8')
          throw new JobsError(
            `The database has the encoding ${found?.encoding}, which cannot store all names and addresses: create a database with UTF8, for example with createdb --encoding UTF8 --template template0 jobs.`,
          );
        // An administrator may have created the schema for a role that is not allowed to create schemas.
        const made = await one('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
        if (made.length === 0) await one(`CREATE SCHEMA ${schema}`);
        for (const statement of createTables(dialect).split(';')) if (statement.trim() !== '') await one(statement);
        await one(`COMMENT ON SCHEMA ${schema} IS '${comment(version)}'`);
      }),
    async check() {
      if ((await readVersion(run)) === undefined)
        throw new JobsError(`There are no jobs in ${location}: plan a job first.`);
    },
    async close() {
      await within(pool.end(), closingTime);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function given(parameters: readonly (Parameter | Batch)[] = []): Parameter[] {
  return parameters.map((each) => (each !== null && typeof each === 'object' ? JSON.stringify(each.rows) : each));
}

/** Ends a transaction. If the rollback fails, the connection is closed, which also ends the transaction. */
async function end(client: PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}

/** Reads the version of the tables from the comment of the schema. Returns `undefined` if there are no tables. */
async function readVersion(run: Run): Promise<number | undefined> {
  const [found] = await run<{ comment: string | null; tables: number }>(
    `SELECT obj_description(n.oid, 'pg_namespace') AS comment,
      (SELECT count(*)::int FROM pg_class c WHERE c.relnamespace = n.oid) AS tables
    FROM pg_namespace n WHERE n.nspname = $1`,
    [schema],
  );
  if (!found || found.tables === 0) return undefined;
  if (/^carillon-jobs, version /.test(found.comment ?? ''))
    throw new JobsError(
      `The tables in the schema ${schema} were created by an earlier version of carillon-jobs. This version cannot read their jobs. Finish the jobs with the earlier version, then run DROP SCHEMA ${schema}, ${schema}_queue CASCADE, or use another database.`,
    );
  const known = Number(/^carillon-jobs, form (\d+)$/.exec(found.comment ?? '')?.[1] ?? 0);
  if (known === 0) throw new JobsError(`The schema ${schema} contains other tables. Use another database.`);
  if (known > version)
    throw new JobsError(
      `The tables in the schema ${schema} have format ${known}, but this program supports format ${version}. Update carillon-jobs on this machine.`,
    );
  return known;
}

function comment(form: number): string {
  return `carillon-jobs, form ${form}`;
}

/** @throws `JobsError` if the driver would interpret the address differently from what a person means */
function checkAddress(address: string): void {
  if (!/^postgres(?:ql)?:\/\//i.test(address))
    throw new JobsError(
      `The 'database' option must be an address such as postgres://user@host:5432/name. Omit it to keep the jobs in a folder.`,
    );
  if (address.includes('#'))
    throw new JobsError(
      'The database address contains a #, which starts a fragment in an address: write the character as %23.',
    );
  const [, hosts = ''] = /^[a-z]+:\/\/(?:[^/?]*@)?([^/?]*)/i.exec(address) ?? [];
  if (`${hosts}${/[?&]host=([^&]*)/.exec(address)?.[1] ?? ''}`.includes(','))
    throw new JobsError(
      'The database address has several hosts, but the driver connects to only one: specify the primary server, or a proxy that follows it.',
    );
}
