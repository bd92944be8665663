import { spawn, spawnSync } from 'node:child_process';
import { once as event } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { parts, runJobs } from '../../src/jobs/command/command.ts';
import { freePort } from '../support/ports.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { created, open, tagJob } from './tag-job.ts';

const program = '/usr/sbin/pgbouncer';
const missing = missingPostgres ?? missingPooler();
const skipped = missing ? ` (skipped: ${missing})` : '';

function missingPooler(): string | undefined {
  try {
    accessSync(program, constants.X_OK);
    return undefined;
  } catch {
    return 'there is no PgBouncer: install it with `apt-get install pgbouncer`';
  }
}

/** Starts PgBouncer in front of a database and returns its address. */
async function startPooler(database: string, mode: 'session' | 'transaction'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-pooler-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const { hostname, port: to, pathname } = new URL(database);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `pooled = host=${hostname} port=${to} dbname=${pathname.slice(1)} user=test`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      '',
    ].join('\n'),
  );
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: Number(spawnSync('id', ['-u', 'postgres']).stdout) } : {};
  const server = spawn(program, [file], { ...user, stdio: 'ignore' });
  onTestFinished(async () => {
    const ended = event(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const address = `postgres://test@127.0.0.1:${port}/pooled`;
  await vi.waitFor(
    async () => {
      const client = new pg.Client(address);
      await client.connect();
      await client.end();
    },
    { timeout: 30_000, interval: 30 },
  );
  return address;
}

const refusal =
  'The connection goes through a pooler in transaction mode, where locks protect nothing. Connect to Postgres directly, or to a pool in session mode.';

test.skipIf(missing)(
  `a program refuses PgBouncer in transaction mode, sends nothing, and leaves no settings on its connections${skipped}`,
  async () => {
    const address = await startPooler(await createDatabase(inject('postgresPort')), 'transaction');
    const { jobs, sandbox } = await open(tagJob(), { database: address });
    await expect(jobs.plan(tagJob(), { options: ['a'] })).rejects.toThrow(refusal);
    await expect(jobs.work({ until: 'tags' })).rejects.toThrow(refusal);
    expect(created(sandbox)).toBe(0);
    const sql = new pg.Client(address);
    await sql.connect();
    onTestFinished(() => sql.end());
    for (let count = 0; count < 5; count += 1) {
      const { rows } = await sql.query(
        `SELECT current_setting('statement_timeout') AS timeout, (SELECT count(*)::int FROM pg_listening_channels()) AS channels`,
      );
      expect(rows).toEqual([{ timeout: '0', channels: 0 }]);
    }
  },
);

const commands = [
  ...['status', 'workers', 'migrate', 'status tags', 'pause tags', 'resume tags', 'set tags --rate 1', 'cancel tags'],
  ...['forget tags', 'remove tags', 'results tags', 'problems tags', 'work', 'run export-contacts out.csv'],
  ...['unknown tags', 'show tags 2', 'retry tags all', 'left tags'],
];

test.skipIf(missing)(`every command refuses PgBouncer in transaction mode${skipped}`, async () => {
  vi.stubEnv('DATABASE_URL', await startPooler(await createDatabase(inject('postgresPort')), 'transaction'));
  vi.stubEnv('CARILLON_BASE_URL', 'http://127.0.0.1:4012');
  vi.stubEnv('CARILLON_API_KEY', 'any');
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const named = Object.keys(parts).toSorted();
  expect([...new Set(commands.map((command) => command.split(' ')[0]))].toSorted()).toEqual(named);
  for (const command of commands) {
    errors.mockClear();
    expect(await runJobs('carillon-jobs', command.split(' '))).toBe(1);
    expect(errors.mock.calls.flat()).toEqual([`carillon-jobs: ${refusal}`]);
  }
});

test.skipIf(missing)(`a worker accepts PgBouncer in session mode${skipped}`, async () => {
  const port = inject('postgresPort');
  const { jobs, sandbox } = await open(tagJob(), {
    database: await startPooler(await createDatabase(port), 'session'),
  });
  await jobs.plan(tagJob(), { options: ['a'] });
  await jobs.work({ until: 'tags' });
  expect(created(sandbox)).toBe(1);
});
