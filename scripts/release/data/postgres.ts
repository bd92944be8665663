import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Folder of Debian's newest Postgres. `undefined` without one. */
export const postgresPrograms = globSync('/usr/lib/postgresql/*/bin/postgres')
  .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  .map(dirname)
  .at(-1);

/** Explains what to install if data of jobs cannot be judged here. `undefined` if Postgres is installed. */
export const missingPostgres = postgresPrograms
  ? undefined
  : 'The data of jobs need Postgres: install it with `apt-get install postgresql`.';

/** A Postgres in a temporary folder, reachable only through a socket in that folder. */
export interface Postgres {
  /** Connection settings for clients. */
  readonly settings: { host: string; user: string; database: string };
  /** The cluster's system identifier. */
  readonly system: string;
  /** Schemas and data as SQL. */
  dump(): string;
  /** Runs SQL in one transaction. Returns the rows as text. */
  run(sql: string): string;
  stop(): void;
}

/** Starts a Postgres. As root, starts it as the user `postgres`, because it refuses to run as root. */
export function startPostgres(): Postgres {
  if (!postgresPrograms) throw new Error(missingPostgres);
  const folder = postgresPrograms;
  const { user, home } = postgresHome();
  const settings = { host: home, user: 'carillon', database: 'postgres' };
  const call = (program: string, args: readonly string[], input?: string): string => {
    const ended = spawnSync(join(folder, program), args, {
      ...user,
      cwd: home,
      encoding: 'utf8',
      env: { LC_ALL: 'C', PATH: process.env.PATH },
      input,
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
    });
    if (ended.status !== 0) throw new Error(`${program} failed: ${ended.stderr || ended.error}`);
    return ended.stdout;
  };
  const client = ['-h', home, '-U', settings.user, '-d', settings.database];
  const data = join(home, 'data');
  try {
    call('initdb', ['-D', data, '-U', settings.user, '-A', 'trust', '-E', 'UTF8', '--no-sync']);
    const options = `-c listen_addresses= -c unix_socket_directories=${home} -c fsync=off`;
    call('pg_ctl', ['start', '-w', '-D', data, '-l', join(home, 'log'), '-o', options]);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
  const run = (sql: string): string =>
    call('psql', [...client, '-X', '-q', '-A', '-t', '-1', '-v', 'ON_ERROR_STOP=1'], sql);
  return {
    settings,
    system: run('SELECT system_identifier FROM pg_control_system()').trim(),
    dump: () => call('pg_dump', [...client, '--no-owner', '--no-privileges']),
    run,
    stop() {
      call('pg_ctl', ['stop', '-w', '-m', 'immediate', '-D', data]);
      rmSync(home, { recursive: true, force: true });
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
