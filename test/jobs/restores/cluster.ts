import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import { freePort } from '../../support/ports.ts';
import { missingPostgres, postgresHome, postgresPrograms } from '../start-postgres.ts';

/** A cluster whose port stays the same while its data go back, as after a restore in place. */
export interface Cluster {
  readonly port: number;
  /** Address of a database of the cluster. */
  address(database: string): string;
  /** Runs a statement in a database, and returns the first value of its first row. */
  ask(database: string, text: string): Promise<string>;
  /** Runs a program of Postgres, such as `pg_dump`, with the connection settings in its environment. */
  call(program: string, ...args: string[]): string;
  /** Loads a dump, while this process goes on. */
  load(database: string, file: string): Promise<void>;
  /** Copies the data folder of the running cluster, as `pg_basebackup` does. */
  baseBackup(name: string): string;
  /** Copies the data folder of the stopped cluster, as a snapshot of the disk does. */
  snapshot(name: string): Promise<string>;
  /** Moves the data to a new cluster of the same version with `pg_upgrade`, and starts it. */
  upgrade(name: string): Promise<void>;
  /** Stops the server, and starts it on other data. */
  restart(data?: string): Promise<void>;
  /** The data folder that the server uses. */
  readonly data: string;
  /** Folder for dumps. */
  readonly home: string;
}

type Mutable = { -readonly [Name in keyof Cluster]: Cluster[Name] };

/** Starts a cluster of its own, because restoring concerns all its databases. It keeps its log for point-in-time recovery. */
export async function startCluster(): Promise<Cluster> {
  if (!postgresPrograms) throw new Error(missingPostgres);
  const programs = postgresPrograms;
  const { user, home } = postgresHome();
  const port = await freePort();
  const env = { LC_ALL: 'C', PATH: process.env.PATH, PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'test' };
  const options = { ...user, cwd: home, encoding: 'utf8' as const, env };
  const call = (program: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(join(programs, program), args, options);
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
    return stdout;
  };
  const first = join(home, 'data');
  const initialize = (data: string): void =>
    void call('initdb', '-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const configure = (data: string): void =>
    appendFileSync(
      join(data, 'postgresql.conf'),
      `port=${port}\nlisten_addresses='127.0.0.1'\nunix_socket_directories='${home}'\nmax_connections=100\nfsync=off
archive_mode=on\narchive_command='cp %p ${home}/%f.new && mv ${home}/%f.new ${home}/%f'\n`,
    );
  initialize(first);
  configure(first);
  const cluster: Mutable = {
    data: first,
    port,
    home,
    call,
    address: (database: string) => `postgres://test@127.0.0.1:${port}/${database}`,
    async ask(database: string, text: string) {
      const client = new pg.Client(cluster.address(database));
      client.on('error', () => undefined);
      await client.connect();
      try {
        return String(Object.values((await client.query(text)).rows[0] ?? {})[0]);
      } finally {
        await client.end();
      }
    },
    async load(database, file) {
      const args = ['-q', '-X', '-1', '-v', 'ON_ERROR_STOP=1', '-d', database, '-f', file];
      // Where it and a worker wait for each other's tables, the worker's transaction is the one that ends.
      const env = { ...options.env, PGOPTIONS: '-c deadlock_timeout=1min' };
      const loading = spawn(join(programs, 'psql'), args, { ...options, env, stdio: ['ignore', 'ignore', 'inherit'] });
      const [code] = await once(loading, 'exit');
      if (code !== 0) throw new Error(`psql failed with ${code}`);
    },
    baseBackup(name: string) {
      const copy = join(home, name);
      call('pg_basebackup', '-D', copy, '-c', 'fast');
      return copy;
    },
    async snapshot(name: string) {
      const copy = join(home, name);
      stop();
      cpSync(cluster.data, copy, { recursive: true, preserveTimestamps: true });
      chmodSync(copy, 0o700);
      if (user.uid !== undefined) spawnSync('chown', ['-R', String(user.uid), copy]);
      await start(cluster.data);
      return copy;
    },
    async upgrade(name) {
      const upgraded = join(home, name);
      initialize(upgraded);
      // It refuses a cluster that was not shut down.
      call('pg_ctl', 'stop', '-w', '-m', 'fast', '-D', cluster.data);
      const folders = ['-b', programs, '-B', programs, '-d', cluster.data, '-D', upgraded, '-s', home];
      call('pg_upgrade', ...folders, '-p', String(port), '-P', String(port), '-U', 'test');
      configure(upgraded);
      await start(upgraded);
    },
    async restart(data = cluster.data) {
      stop();
      await start(data);
    },
  };
  const start = async (data: string): Promise<void> => {
    cluster.data = data;
    const server = spawn(join(programs, 'postgres'), ['-D', data], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    server.stderr?.on('data', (text) => {
      errors = `${errors}${text}`.slice(-2_000);
    });
    server.on('error', () => undefined);
    const end = Date.now() + 30_000;
    for (;;) {
      const isReady = await cluster.ask('postgres', 'SELECT NOT pg_is_in_recovery()').catch(() => 'false');
      if (isReady === 'true') return;
      if (server.exitCode !== null || Date.now() > end) throw new Error(`the cluster does not start: ${errors}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const stop = (): void => void call('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', cluster.data);
  await start(first);
  onTestFinished(() => {
    spawnSync(join(programs, 'pg_ctl'), ['stop', '-w', '-m', 'immediate', '-D', cluster.data], options);
    rmSync(home, { recursive: true, force: true });
  });
  return cluster;
}

/**
 * Makes a base backup recover from the log, and promote itself to a timeline of its own.
 *
 * @param target - where it ends, such as `recovery_target='immediate'`
 */
export function recoverTo(cluster: Cluster, data: string, target: string): void {
  appendFileSync(
    join(data, 'postgresql.conf'),
    `restore_command='cp ${cluster.home}/%f %p'\n${target}\nrecovery_target_action='promote'\n`,
  );
  writeFileSync(join(data, 'recovery.signal'), '');
}

/** Resolves when the log up to now can be read by a recovery. */
export async function archiveLog(cluster: Cluster): Promise<void> {
  const file = await cluster.ask('postgres', 'SELECT pg_walfile_name(pg_switch_wal())');
  await vi.waitFor(() => expect(existsSync(join(cluster.home, file))).toBe(true), { timeout: 20_000 });
}
