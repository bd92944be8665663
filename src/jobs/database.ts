import type { Client, Pool, PoolConfig } from 'pg';
import type { PgBoss } from 'pg-boss';
import { explain } from './explain.ts';
import { JobsError } from './jobs-error.ts';
import { migrations, schemaVersion } from './schema.ts';
import type { JobsOptions } from './types.ts';

/** The optional packages. */
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
}

/** Loads the drivers on demand: pg-boss cannot be loaded on an older Node. */
export async function loadDrivers(): Promise<Drivers> {
  try {
    const [{ default: pg }, { PgBoss }] = await Promise.all([import('pg'), import('pg-boss')]);
    return { Pool: pg.Pool, Client: pg.Client, PgBoss };
  } catch (cause) {
    throw new JobsError(`carillon-jobs needs Node 22.12 or newer, and this is ${process.version}`, { cause });
  }
}

/** Connects, and creates the tables if there are none. */
export async function openDatabase(options: Pick<JobsOptions, 'database' | 'schema'>): Promise<Database> {
  const { database, schema = 'carillon_jobs' } = options;
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) throw new JobsError(`"${schema}" is not a schema: use a-z, 0-9 and _`);
  const drivers = await loadDrivers();
  const config: PoolConfig = {
    ...(typeof database === 'string' ? { connectionString: database } : database),
    application_name: 'carillon jobs',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  // A statement without an answer ends, because the network may be cut. Removing a job of a million rows takes a minute.
  const pool = new drivers.Pool({ ...config, max: 4, query_timeout: 300_000 });
  // A lost idle connection is replaced by the pool. Without a listener, it would end the process.
  pool.on('error', () => undefined);
  // So would one that is lost between two statements of a transaction: the next statement rejects.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await migrate(pool, schema);
  } catch (error) {
    await pool.end();
    throw explain(error);
  }
  return { drivers, config, pool, schema: `"${schema}"`, queueSchema: `${schema}_queue` };
}

async function migrate(pool: Pool, schema: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // Two programs that start at once must not both create the tables.
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`carillon jobs ${schema}`]);
    const version = await readSchemaVersion(client, schema);
    if (version > schemaVersion) {
      throw new JobsError(
        `The tables in the schema ${schema} have version ${version}, and this program knows ${schemaVersion}. Update carillon on this machine.`,
      );
    }
    for (const migration of migrations.slice(version)) await client.query(migration(`"${schema}"`));
    if (version < schemaVersion) {
      await client.query(`COMMENT ON SCHEMA "${schema}" IS 'carillon jobs, version ${schemaVersion}'`);
    }
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // Closes the connection, which rolls the transaction back.
    client.release(true);
    throw error;
  }
}

/** The version of the tables: 0 if there are none yet. The comment of the schema holds it. */
async function readSchemaVersion(client: Pick<Client, 'query'>, schema: string): Promise<number> {
  const { rows } = await client.query<{ comment: string | null; tables: number }>(
    `SELECT obj_description(n.oid, 'pg_namespace') AS comment,
      (SELECT count(*)::int FROM pg_class c WHERE c.relnamespace = n.oid) AS tables
    FROM pg_namespace n WHERE n.nspname = $1`,
    [schema],
  );
  const [found] = rows;
  if (!found) await client.query(`CREATE SCHEMA "${schema}"`);
  const version = /^carillon jobs, version (\d+)$/.exec(found?.comment ?? '')?.[1];
  if (version) return Number(version);
  if (found && found.tables > 0) {
    throw new JobsError(`The schema ${schema} contains other tables. Choose another name with the option "schema".`);
  }
  return 0;
}
