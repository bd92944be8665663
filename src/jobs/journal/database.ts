/// <reference types="node" />
import { Socket } from 'node:net';
import type { Client, ClientBase, Pool, PoolClient, PoolConfig } from 'pg';
import type { PgBoss } from 'pg-boss';
import { JobsError } from '../jobs-error.ts';
import type { JobsOptions } from '../types.ts';
import { explain, rethrow } from './explain.ts';
import { migrations, schemaVersion } from './schema.ts';

/** The packages for the database. */
export interface Drivers {
  readonly Pool: new (config: PoolConfig) => Pool;
  readonly Client: new (config: PoolConfig) => Client;
  readonly PgBoss: typeof PgBoss;
}

/** A database with the tables of the jobs. */
export interface Database {
  readonly drivers: Drivers;
  readonly config: PoolConfig;
  /** For everything but the session of a worker. */
  readonly pool: Pool;
  /** Name of the schema, quoted. */
  readonly schema: string;
  /** Name of pg-boss's schema. */
  readonly queueSchema: string;
  /** Closes all connections. A database that does not answer keeps neither the caller nor the process waiting. */
  close(): Promise<void>;
}

/**
 * Limits of every connection, so that nothing waits for a machine that has vanished, in either direction. Milliseconds, and seconds for
 * the signs of life of TCP, which end a connection within a minute.
 */
const limits = {
  statement: 30_000,
  lock: 10_000,
  idleInTransaction: 30_000,
  keepAlive: { idle: 20, interval: 5, count: 5 },
};

/** Milliseconds for a statement over a whole job, such as its removal. */
export const longStatement = 600_000;

/** Milliseconds that closing waits for the database. */
export const closingTime = 1_000;

/** Sets the limits of a new connection. A commit that the disk does not have is none. */
export async function limitConnection(client: ClientBase, statement = limits.statement): Promise<void> {
  const { idle, interval, count } = limits.keepAlive;
  await client.query(
    `SET tcp_keepalives_idle = ${idle}; SET tcp_keepalives_interval = ${interval}; SET tcp_keepalives_count = ${count};
    SET synchronous_commit = on; SET statement_timeout = ${statement}; SET lock_timeout = ${limits.lock};
    SET idle_in_transaction_session_timeout = ${limits.idleInTransaction}`,
  );
}

/** Loads the drivers on demand: pg-boss cannot be loaded on an older Node. */
export async function loadDrivers(): Promise<Drivers> {
  try {
    const [{ default: pg }, { PgBoss }] = await Promise.all([import('pg'), import('pg-boss')]);
    return { Pool: pg.Pool, Client: pg.Client, PgBoss };
  } catch (cause) {
    throw new JobsError(`carillon-jobs needs Node 22.13 or newer, and this is ${process.version}`, { cause });
  }
}

/** Connects to a database. Its tables are checked by `readSchemaVersion`, or created by `migrate`. */
export async function openDatabase(options: Pick<JobsOptions, 'database' | 'schema'>): Promise<Database> {
  const { database, schema = 'carillon_jobs' } = options;
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) throw new JobsError(`"${schema}" is not a schema: use a-z, 0-9 and _`);
  const drivers = await loadDrivers();
  const sockets = new Set<Socket>();
  const config: PoolConfig = {
    ...(typeof database === 'string' ? { connectionString: database } : database),
    application_name: 'carillon jobs',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Known here, because a connection that is silent cannot be ended politely.
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
    max: 4,
    // A statement ends in the database before the pool gives up on it.
    query_timeout: limits.statement + 5_000,
    async onConnect(client) {
      await limitConnection(client);
      isMigrated ||= await hasTables(client, schema);
      if (isMigrated) await noticeServer(client, quoted);
    },
  });
  // A lost idle connection is replaced by the pool. Without a listener, it would end the process.
  pool.on('error', () => undefined);
  // So would one that is lost between two statements of a transaction: the next statement rejects.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    drivers,
    config,
    pool,
    schema: quoted,
    queueSchema: `${schema}_queue`,
    async close() {
      await within(pool.end(), closingTime);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Waits for a promise at most so long. */
export async function within(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise.catch(() => undefined), timeout]);
  clearTimeout(timer);
}

/**
 * Compares the server with the one whose commits the tables have. If it is another, all running jobs pause.
 *
 * @returns identity of the tables, system identifier and timeline
 */
export async function noticeServer(client: Pick<ClientBase, 'query'>, schema: string): Promise<string> {
  const { rows } = await client.query<{ server: string }>(`SELECT ${schema}.notice_server() AS server`);
  return rows[0]?.server ?? '';
}

/** Creates the tables, or brings them to this version. */
export async function migrate({ pool, schema }: Database): Promise<void> {
  const name = schema.slice(1, -1);
  const client = await pool.connect().catch(rethrow);
  try {
    await client.query('BEGIN');
    // Two programs that start at once must not both create the tables.
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`carillon jobs ${name}`]);
    const version = await readSchemaVersion(client, name);
    if (version === undefined) await client.query(`CREATE SCHEMA ${schema}`);
    for (const migration of migrations.slice(version ?? 0)) await client.query(migration(schema));
    if ((version ?? 0) < schemaVersion) {
      await client.query(`COMMENT ON SCHEMA ${schema} IS '${comment(schemaVersion)}'`);
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
 * Refuses tables that are missing, or of another version.
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

async function hasTables(client: Pick<ClientBase, 'query'>, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`SELECT to_regproc($1) IS NOT NULL AS found`, [
    `"${schema}".notice_server`,
  ]);
  return rows[0]?.found === true;
}

/** The version of the tables, which the comment of the schema holds: 0 for an empty schema, `undefined` without a schema. */
async function readSchemaVersion(client: Pick<ClientBase, 'query'>, schema: string): Promise<number | undefined> {
  const { rows } = await client.query<{ comment: string | null; tables: number }>(
    `SELECT obj_description(n.oid, 'pg_namespace') AS comment,
      (SELECT count(*)::int FROM pg_class c WHERE c.relnamespace = n.oid) AS tables
    FROM pg_namespace n WHERE n.nspname = $1`,
    [schema],
  );
  const [found] = rows;
  if (!found) return undefined;
  const version = Number(/^carillon-jobs, version (\d+)$/.exec(found.comment ?? '')?.[1] ?? 0);
  if (version > schemaVersion) {
    throw new JobsError(
      `The tables in the schema ${schema} have version ${version}, and this program knows ${schemaVersion}. Update carillon-jobs on this machine.`,
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
    // Closes the connection: nothing of the transaction stays.
    client.release(true);
    throw error;
  }
}
