/// <reference types="node" />
import { Socket } from 'node:net';
import type { Client, ClientBase, Pool, PoolClient, PoolConfig } from 'pg';
import type { PgBoss } from 'pg-boss';
import { JobsError } from '../jobs-error.ts';
import type { JobsOptions } from '../types.ts';
import { explain, rethrow } from '../store/explain.ts';
import { refuseTransactionPooler } from './pooler.ts';
import { type Migration, migrations, schemaVersion } from './schema.ts';

/** Database packages. */
export interface Drivers {
  readonly Pool: new (config: PoolConfig) => Pool;
  readonly Client: new (config: PoolConfig) => Client;
  readonly PgBoss: typeof PgBoss;
}

/** A database with the tables of the jobs. */
export interface Database {
  readonly drivers: Drivers;
  readonly config: PoolConfig;
  /** Connections for everything except worker sessions. */
  readonly pool: Pool;
  /** Name of the schema, quoted. */
  readonly schema: string;
  /** Name of pg-boss's schema. */
  readonly queueSchema: string;
  /** Refuses a database that cannot be used, before any connection gets settings. Call it before the pool is used. */
  checkServer(): Promise<void>;
  /** Closes all connections. Does not wait for a database that does not answer. */
  close(): Promise<void>;
}

/**
 * Limits of every connection, so that neither side waits for a machine that has disappeared. In milliseconds, and in seconds for
 * TCP keepalives, which end a dead connection within a minute.
 */
const limits = {
  statement: 30_000,
  lock: 10_000,
  idleInTransaction: 30_000,
  keepAlive: { idle: 20, interval: 5, count: 5 },
};

/** Time limit in milliseconds of a statement on a whole job, such as its removal. */
export const longStatement = 600_000;

/** How long closing waits for the database, in milliseconds. */
export const closingTime = 1_000;

/** Sets the limits of a new connection. The statements need `read committed`. Enables synchronous commits, because an unsynced commit can be lost. */
export async function limitConnection(client: ClientBase, statement = limits.statement): Promise<void> {
  const { idle, interval, count } = limits.keepAlive;
  await client.query(
    `SET tcp_keepalives_idle = ${idle}; SET tcp_keepalives_interval = ${interval}; SET tcp_keepalives_count = ${count};
    SET default_transaction_isolation = 'read committed'; SET DateStyle = 'ISO, MDY'; SET synchronous_commit = on; SET statement_timeout = ${statement}; SET lock_timeout = ${limits.lock};
    SET idle_in_transaction_session_timeout = ${limits.idleInTransaction}`,
  );
}

/** Loads the drivers on demand, because pg-boss cannot be loaded on an older Node. */
async function loadDrivers(): Promise<Drivers> {
  try {
    const [{ default: pg }, { PgBoss }] = await Promise.all([import('pg'), import('pg-boss')]);
    return { Pool: pg.Pool, Client: pg.Client, PgBoss };
  } catch (cause) {
    throw new JobsError(`carillon-jobs needs Node 22.13 or newer, and this is ${process.version}`, { cause });
  }
}

/** Connects to a database. `checkTables` checks its tables, and `migrate` creates them. */
export async function openDatabase(options: Pick<JobsOptions, 'database' | 'schema'>): Promise<Database> {
  const { database, schema = 'carillon_jobs' } = options;
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) throw new JobsError(`"${schema}" is not a schema: use a-z, 0-9 and _`);
  if (typeof database === 'string') checkAddress(database);
  else if (database.connectionString !== undefined) checkAddress(database.connectionString);
  const drivers = await loadDrivers();
  const sockets = new Set<Socket>();
  const config: PoolConfig = {
    ...(typeof database === 'string' ? { connectionString: database } : database),
    application_name: 'carillon jobs',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Keep the sockets, because an unresponsive connection can only be destroyed.
    stream() {
      const socket = new Socket();
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      return socket;
    },
  };
  let isMigrated = false;
  const quoted = `"${schema}"`;
  const pool = new drivers.Pool({
    ...config,
    // A statement that waits for a connection holds up the end of a process, so there are a few more than an idle worker needs.
    max: 4,
    // Longer than the limit of the database, so that the database ends a statement first.
    query_timeout: limits.statement + 5_000,
    async onConnect(client) {
      await limitConnection(client);
      isMigrated ||= await hasTables(client, schema);
      if (isMigrated) await noticeServer(client, quoted);
    },
  });
  // The pool replaces a lost idle connection. Without a listener, its error would end the process.
  pool.on('error', () => undefined);
  // The same applies to a connection lost between two statements of a transaction. The next statement rejects.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    drivers,
    config,
    pool,
    schema: quoted,
    queueSchema: `${schema}_queue`,
    async checkServer() {
      const clients = [new drivers.Client(config), new drivers.Client(config)] as const;
      const [first, second] = clients;
      for (const client of clients) client.on('error', () => undefined);
      try {
        await Promise.all(clients.map((client) => client.connect()));
        await refuseTransactionPooler(first, second);
        const { rows } = await first.query<{ encoding: string }>(
          `SELECT current_setting('server_encoding') AS encoding`,
        );
        const encoding = rows[0]?.encoding;
        if (encoding !== 'UTF8')
          throw new JobsError(
            `The database has the encoding ${encoding}, which cannot store all names and addresses: create one with UTF8, such as with createdb --encoding UTF8 --template template0 jobs.`,
          );
      } finally {
        await within(Promise.all(clients.map((client) => client.end())), closingTime);
      }
    },
    async close() {
      await within(pool.end(), closingTime);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Refuses addresses that the driver reads in another way than a person means them. */
function checkAddress(address: string): void {
  if (address.includes('#'))
    throw new JobsError('The address of the database contains a #, which begins a comment there: write it as %23.');
  const [, hosts = ''] = /^[a-z]+:\/\/(?:[^/?]*@)?([^/?]*)/i.exec(address) ?? [];
  if (`${hosts}${/[?&]host=([^&]*)/.exec(address)?.[1] ?? ''}`.includes(','))
    throw new JobsError(
      'The address of the database has several hosts, and the driver connects to one: name the primary server, or a proxy that follows it.',
    );
}

/** Waits for a promise, but not longer than `milliseconds`. Ignores its rejection. */
export async function within(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise.catch(() => undefined), timeout]);
  clearTimeout(timer);
}

/**
 * Compares server, timeline, database and tables with those in which each job ran last. Pauses the jobs for which they differ.
 *
 * @returns ID of the tables, and the place, with a space between them
 */
export async function noticeServer(client: Pick<ClientBase, 'query'>, schema: string): Promise<string> {
  const { rows } = await client.query<{ server: string }>(`SELECT ${schema}.notice_server() AS server`);
  return rows[0]?.server ?? '';
}

/** Runs a function that may create tables again, as a migration does. The jobs are then not in another place. */
export async function keepPlace<Result>({ pool, schema }: Database, run: () => Promise<Result>): Promise<Result> {
  const place = await readPlace(pool, schema);
  const result = await run();
  await pool.query(
    `UPDATE ${schema}.jobs SET place = ${schema}.place() WHERE place = $1 AND place <> ${schema}.place()`,
    [place],
  );
  return result;
}

/**
 * Creates the tables, or migrates them to this version.
 *
 * @param list - all migrations, for tests
 */
export async function migrate({ pool, schema }: Database, list: readonly Migration[] = migrations): Promise<void> {
  const name = schema.slice(1, -1);
  const client = await pool.connect().catch(rethrow);
  try {
    await client.query('BEGIN');
    // Prevent programs that start at the same time from both creating the tables.
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`carillon jobs ${name}`]);
    const version = await readSchemaVersion(client, name, list.length);
    if (version === undefined) await client.query(`CREATE SCHEMA ${schema}`);
    const place = version ? await readPlace(client, schema) : undefined;
    for (const migration of list.slice(version ?? 0)) await client.query(migration(schema));
    if (place !== undefined)
      await client.query(`UPDATE ${schema}.jobs SET place = ${schema}.place() WHERE place = $1`, [place]);
    if ((version ?? 0) < list.length) {
      await client.query(`COMMENT ON SCHEMA ${schema} IS '${comment(list.length)}'`);
    }
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // Closes the connection, which rolls the transaction back.
    client.release(true);
    throw explain(error);
  }
}

/**
 * Refuses tables that are missing or have another version.
 *
 * @throws `JobsError` that says what to do
 */
export async function checkTables({ pool, schema }: Database): Promise<void> {
  const name = schema.slice(1, -1);
  const version = await readSchemaVersion(pool, name).catch((error: unknown) => {
    throw explain(error);
  });
  if (version === schemaVersion) return;
  if (!version)
    throw new JobsError(`There are no jobs in the schema ${name}: plan one first, or run carillon-jobs migrate.`);
  throw new JobsError(
    `The tables in the schema ${name} have version ${version}, and this program needs ${schemaVersion}: run carillon-jobs migrate.`,
  );
}

async function readPlace(client: Pick<ClientBase, 'query'>, schema: string): Promise<string> {
  const { rows } = await client.query<{ place: string }>(`SELECT ${schema}.place() AS place`);
  return rows[0]?.place ?? '';
}

async function hasTables(client: Pick<ClientBase, 'query'>, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`SELECT to_regproc($1) IS NOT NULL AS found`, [
    `"${schema}".notice_server`,
  ]);
  return rows[0]?.found === true;
}

/** Reads the version of the tables from the comment of the schema. 0 for an empty schema, `undefined` without a schema. */
async function readSchemaVersion(
  client: Pick<ClientBase, 'query'>,
  schema: string,
  known = schemaVersion,
): Promise<number | undefined> {
  const { rows } = await client.query<{ comment: string | null; tables: number }>(
    `SELECT obj_description(n.oid, 'pg_namespace') AS comment,
      (SELECT count(*)::int FROM pg_class c WHERE c.relnamespace = n.oid) AS tables
    FROM pg_namespace n WHERE n.nspname = $1`,
    [schema],
  );
  const [found] = rows;
  if (!found) return undefined;
  const version = Number(/^carillon-jobs, version (\d+)$/.exec(found.comment ?? '')?.[1] ?? 0);
  if (version > known) {
    throw new JobsError(
      `The tables in the schema ${schema} have version ${version}, and this program knows ${known}. Update carillon-jobs on this machine.`,
    );
  }
  if (version === 0 && found.tables > 0) {
    throw new JobsError(`The schema ${schema} contains other tables. Choose another name with the option "schema".`);
  }
  return version;
}

function comment(version: number): string {
  return `carillon-jobs, version ${version}`;
}

/** Runs statements in one transaction. */
export async function inTransaction<Result>(pool: Pool, run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // Close the connection, which rolls the transaction back.
    client.release(true);
    throw error;
  }
}
