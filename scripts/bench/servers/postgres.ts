import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from './targets.ts';

/** Linux counts processor time in ticks of 10 ms. */
const millisecondsPerTick = 10;

/** A Postgres with its default settings, so that each commit waits for the disk. */
export interface Postgres {
  version: string;
  createDatabase(name: string): Promise<string>;
  /** Milliseconds of processor time that the processes of the server have used. */
  processorTime(): number;
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
  const ask = async (sql: string): Promise<unknown> => {
    const client = new pg.Client(address('postgres'));
    await client.connect();
    try {
      return Object.values((await client.query(sql)).rows[0] ?? {})[0];
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
        processorTime: () => processorTime(server.pid ?? 0),
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

/** Milliseconds that a process of Linux and its children have used, including children that have ended. */
function processorTime(id: number): number {
  let ticks = 0;
  for (const file of globSync('/proc/[0-9]*/stat')) {
    const fields = readStat(file);
    if (file === `/proc/${id}/stat`) ticks += sum(fields.slice(11, 15));
    else if (Number(fields[1]) === id) ticks += sum(fields.slice(11, 13));
  }
  return ticks * millisecondsPerTick;
}

/**
 * Reads the fields of a process after its name. Index 1 is its parent, 11 and 12 are its own ticks, and 13 and 14 those of its ended children.
 */
function readStat(file: string): string[] {
  try {
    const text = readFileSync(file, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // The process has ended.
    return [];
  }
}

const sum = (fields: readonly string[]): number => fields.reduce((total, field) => total + Number(field), 0);

function idOf(flag: '-u' | '-g'): number {
  const id = Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  if (!id) throw new Error('there is no user postgres to run Postgres as');
  return id;
}
