import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../support/ports.ts';

/** Folder of Debian's newest Postgres. `undefined` without one. */
export const postgresPrograms = globSync('/usr/lib/postgresql/*/bin/postgres')
  .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  .map(dirname)
  .at(-1);

/** Why tests with Postgres are skipped, with advice; `undefined` if Postgres is installed. */
export const missingPostgres = postgresPrograms
  ? undefined
  : 'there is no Postgres: install it with `apt-get install postgresql`';

/** A Postgres server on loopback, in a temporary folder. */
export interface Postgres {
  readonly port: number;
  /** Kills the server with -9 and starts it again on the same data. */
  crash(): Promise<void>;
  /** Stops the server like `pg_ctl -m immediate`. Starts it again on the same data after `during` has resolved. */
  interrupt(during: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
  /** Starts an asynchronous replica. */
  replicate(): Promise<Replica>;
}

/** An asynchronous replica of a primary server. */
export interface Replica {
  readonly port: number;
  /** Stops receiving, so that the primary's later commits are lost in a failover. */
  lag(): Promise<void>;
  /** Resolves when the replica has all current commits of the primary. */
  isCurrent(): Promise<void>;
  /** Kills the primary with -9 and promotes the replica. */
  failOver(): Promise<void>;
}

/**
 * Starts a Postgres server, as the user `postgres` if this process is root.
 *
 * @param options - `address`: also listen here, for machines of that network
 */
export async function startPostgres({ address }: { address?: string } = {}): Promise<Postgres> {
  if (!postgresPrograms) throw new Error(missingPostgres);
  const folder = postgresPrograms;
  const { user, home } = postgresHome();
  const data = join(home, 'data');
  const options = { ...user, cwd: home, encoding: 'utf8', env: { LC_ALL: 'C', PATH: process.env.PATH } } as const;
  const made = spawnSync(
    join(folder, 'initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  if (address) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${address}/24 trust\n`);
  const port = await freePort();
  const settings = [
    `port=${port}`,
    `listen_addresses=127.0.0.1${address ? `,${address}` : ''}`,
    `unix_socket_directories=${home}`,
    'max_connections=200',
  ];
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(join(folder, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...options,
      stdio: 'ignore',
    });
    await answers(port);
    return server;
  };
  let server = await start();
  /** Stops the replica. */
  let replica: (() => Promise<void>) | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  return {
    port,
    async crash() {
      await end('SIGKILL');
      server = await start();
    },
    async interrupt(during) {
      await end('SIGQUIT');
      await during();
      server = await start();
    },
    async stop() {
      // Immediate, because there is nothing to keep.
      if (server.exitCode === null && server.signalCode === null) await end('SIGQUIT');
      await replica?.();
      rmSync(home, { recursive: true, force: true });
    },
    async replicate() {
      const copy = join(home, 'replica');
      const address = ['-h', '127.0.0.1', '-p', String(port), '-U', 'test'];
      const made = spawnSync(join(folder, 'pg_basebackup'), [...address, '-D', copy, '-R', '-c', 'fast'], options);
      if (made.status !== 0) throw new Error(`pg_basebackup failed: ${made.stderr}`);
      const copyPort = await freePort();
      const own = settings.map((setting) => setting.replace(`port=${port}`, `port=${copyPort}`));
      const standby = spawn(join(folder, 'postgres'), ['-D', copy, ...own.flatMap((setting) => ['-c', setting])], {
        ...options,
        stdio: 'ignore',
      });
      replica = async () => {
        const ended = once(standby, 'exit');
        standby.kill('SIGQUIT');
        await ended;
      };
      await answers(copyPort);
      const ask = async (at: number, text: string): Promise<string> => {
        const client = new pg.Client({ host: '127.0.0.1', port: at, user: 'test', database: 'postgres' });
        await client.connect();
        try {
          return String(Object.values((await client.query(text)).rows[0] ?? {})[0]);
        } finally {
          await client.end();
        }
      };
      return {
        port: copyPort,
        async lag() {
          await ask(copyPort, `ALTER SYSTEM SET primary_conninfo = ''`);
          await ask(copyPort, 'SELECT pg_reload_conf()');
          while ((await ask(copyPort, 'SELECT count(*) FROM pg_stat_wal_receiver')) !== '0') await moment();
        },
        async isCurrent() {
          const until = await ask(port, 'SELECT pg_current_wal_lsn()');
          while ((await ask(copyPort, `SELECT pg_last_wal_replay_lsn() >= '${until}'`)) !== 'true') await moment();
        },
        async failOver() {
          await end('SIGKILL');
          await ask(copyPort, 'SELECT pg_promote()');
        },
      };
    },
  };
}

/** Creates a temporary folder for a server. Returns it with the user that the server runs as: `postgres` if this process is root. */
export function postgresHome(): { user: { uid?: number; gid?: number }; home: string } {
  const home = mkdtempSync(join(tmpdir(), 'carillon-postgres-'));
  chmodSync(home, 0o755);
  if (process.getuid?.() !== 0) return { user: {}, home };
  const user = idsOf('postgres');
  chownSync(home, user.uid, user.gid);
  return { user, home };
}

function idsOf(name: string): { uid: number; gid: number } {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout));
  if (!uid || !gid) throw new Error(`There is no user ${name} to run Postgres as.`);
  return { uid, gid };
}

/** Creates an empty database. Returns its address. */
export async function createDatabase(port: number): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await queryOnce(port, `CREATE DATABASE ${name}`);
  return addressOf(port, name);
}

function addressOf(port: number, database: string): string {
  return `postgres://test@127.0.0.1:${port}/${database}`;
}

/** Runs a statement and returns the number of rows. */
async function queryOnce(port: number, text: string): Promise<number> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'test', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Resolves when Postgres answers. */
async function answers(port: number): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      await queryOnce(port, 'SELECT');
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await moment();
    }
  }
}

function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
