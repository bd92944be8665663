import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './targets.ts';

/** A Postgres with its default settings, so that each commit waits for the disk. */
export interface Postgres {
  version: string;
  createDatabase(name: string): Promise<string>;
  /** Number of transactions that a database has committed. Counts those of a connection when it is closed. */
  countCommits(database: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts Debian's newest Postgres in a temporary folder, as the user `postgres` if this process is root. */
export async function startPostgres(): Promise<Postgres> {
  const programs = globSync('/usr/lib/postgresql/*/bin/postgres')
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map(dirname)
    .at(-1);
  if (!programs) throw new Error('there is no Postgres: install it with `apt-get install postgresql`');
  const home = mkdtempSync(join(tmpdir(), 'carillon-bench-postgres-'));
  chmodSync(home, 0o755);
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid);
  const options = { ...user, cwd: home, env: { LC_ALL: 'C', PATH: process.env.PATH } };
  const data = join(home, 'data');
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8'], options);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await findFreePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${home}`];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
  const address = (database: string): string => `postgres://bench@127.0.0.1:${port}/${database}`;
  const ask = async (sql: string, values: string[] = []): Promise<unknown> => {
    const client = new pg.Client(address('postgres'));
    await client.connect();
    try {
      return Object.values((await client.query(sql, values)).rows[0] ?? {})[0];
    } finally {
      await client.end();
    }
  };
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit');
    if (server.exitCode === null && server.kill('SIGQUIT')) await ended;
    rmSync(home, { recursive: true, force: true });
  };
  const end = performance.now() + 30_000;
  for (;;) {
    try {
      return {
        version: String(await ask('SHOW server_version')).split(' ')[0] ?? '',
        stop,
        async createDatabase(name) {
          await ask(`CREATE DATABASE ${name}`);
          return address(name);
        },
        countCommits: async (name) =>
          Number(await ask('SELECT xact_commit FROM pg_stat_database WHERE datname = $1', [name])),
      };
    } catch (error) {
      if (performance.now() < end && server.exitCode === null) await sleep(50);
      else {
        await stop();
        throw error;
      }
    }
  }
}

function idOf(flag: '-u' | '-g'): number {
  const id = Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  if (!id) throw new Error('there is no user postgres to run Postgres as');
  return id;
}
