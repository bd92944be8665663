import { spawn, spawnSync } from 'node:child_process';
import { once as event } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../support/ports.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { connect, open, tagJob } from './tag-job.ts';

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

/** Starts PgBouncer in transaction mode in front of a database, and returns its address. */
async function startPooler(database: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-pooler-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const { hostname, port: to, pathname } = new URL(database);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      '[databases]',
      `pooled = host=${hostname} port=${to} dbname=${pathname.slice(1)} user=test pool_size=3`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      // Each transaction takes the server that was idle for the longest time.
      'server_round_robin = 1',
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

test.skipIf(missing)(
  `two workers send each row once through PgBouncer in transaction mode, and leave no settings on its connections${skipped}`,
  async () => {
    const names = Array.from({ length: 150 }, (_, index) => `tag ${index}`);
    const database = await startPooler(await createDatabase(inject('postgresPort')));
    const [one, other] = [await open(tagJob(), { database }), await open(tagJob(), { database })];
    await one.jobs.plan(tagJob(), { options: names, concurrency: 8 });
    await Promise.all([one, other].map(({ jobs }) => jobs.work({ until: 'tags', concurrency: 5 })));
    expect(await one.jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: names.length } });
    const tags = [one, other].flatMap(({ sandbox }) => [...sandbox.state.crm.tags.values()].map(({ name }) => name));
    expect(tags.filter((tag) => tag !== undefined && names.includes(tag)).toSorted()).toEqual(names.toSorted());
    const sql = await connect(database);
    const settings: unknown[] = [];
    for (let count = 0; count < 5; count += 1) {
      const { rows } = await sql.query(
        `SELECT current_setting('idle_in_transaction_session_timeout') AS timeout, current_setting('transaction_isolation') AS level,
          (SELECT count(*)::int FROM pg_prepared_statements) AS statements, (SELECT count(*)::int FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE locktype = 'advisory' AND datname = current_database()) AS locks`,
      );
      settings.push(...rows);
    }
    expect(settings).toEqual(Array(5).fill({ timeout: '0', level: 'read committed', statements: 0, locks: 0 }));
  },
);
