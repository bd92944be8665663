import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { SqliteStore } from '../../src/sandbox/sqlite-store/sqlite-store.ts';
import { createDatabase, missingPostgres } from '../jobs/start-postgres.ts';
import { endJob, rowNames } from './job.ts';
import { readJournal, writeJournal } from './journal.ts';
import { dump, restore, runSql, systemOf } from './postgres.ts';

/** Users' data, as each release wrote them. */
const releases = readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+\.\d+$/.test(name));

const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function openStore(folder: string, options: { startAt?: number } = {}): Promise<Sandbox> {
  const sandbox = createSandbox({ ...options, control: true, store: await SqliteStore.open(folder) });
  await sandbox.ready;
  return sandbox;
}

async function ask(sandbox: Sandbox, request: string, body?: object): Promise<string> {
  const [method = '', path = ''] = request.split(' ');
  const headers = { authorization: 'Bearer any' };
  const response = await sandbox.fetch(new URL(path, 'https://sandbox.example.com'), {
    ...{ method, headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([request, response.ok]).toEqual([request, true]);
  return response.text();
}

describe.each(releases)('this version opens the data of users of %s, with all values', (version) => {
  /** A copy, because opening may migrate it. */
  function copy(): string {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-data-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(join(import.meta.dirname, version, 'data'), folder, { recursive: true });
    return folder;
  }

  it("the sandbox's data folder", async () => {
    const folder = copy();
    const { state } = read(folder, 'sandbox.json');
    const sandbox = await openStore(join(folder, 'sandbox'));
    onTestFinished(() => sandbox.close());
    expect(asJson(sandbox.snapshot().state)).toMatchObject(state);
    expect(JSON.parse(await ask(sandbox, 'GET /__sandbox/snapshots/before')).state).toMatchObject(state);
  });

  it('a snapshot', () => {
    const snapshot = read(copy(), join('jobs', 'snapshot.json'));
    const sandbox = createSandbox({ seed: false });
    sandbox.restore(snapshot);
    expect(asJson(sandbox.snapshot().state)).toMatchObject(snapshot.state);
  });

  it('a journal', async () => {
    const folder = copy();
    expect(await readJournal(folder)).toEqual(read(folder, 'written.json').journal.steps);
  });

  it.skipIf(missingPostgres)('a database of jobs, whose killed job ends with each row sent once', async () => {
    const folder = copy();
    const database = await createDatabase(inject('postgresPort'), { isEmpty: true });
    restore(database, readFileSync(join(folder, 'jobs', 'dump.sql'), 'utf8'), read(folder, 'written.json').jobs);
    expect(await endJob(database, join(folder, 'jobs'))).toEqual(
      Object.fromEntries(rowNames.map((name) => [name, 'done, sent 1 ×'])),
    );
  });
});

/** Requests that change the sandbox's data beyond the example story. */
const changes: [request: string, body?: object][] = [
  ['POST /crm/v1/contact-tags', { name: 'Łódź 🔔' }],
  ['POST /crm/v1/contacts/create', { firstName: 'Ada', lastName: 'Adler', responsibleId: 77 }],
  ['DELETE /crm/v1/deals/501'],
];

// `npm run release:fixtures`
test.runIf(process.env.RELEASE_FIXTURES)(
  'the data of this version are written',
  async () => {
    const { version } = read(repositoryRoot, 'package.json');
    const folder = join(import.meta.dirname, version, 'data');
    if (existsSync(folder)) expect(process.env.RELEASE_FIXTURES, `${folder} exists`).toBe('replace');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'jobs'), { recursive: true });

    const sandbox = await openStore(join(folder, 'sandbox'), { startAt: Date.UTC(2026, 10, 4) });
    for (const [request, body] of changes) await ask(sandbox, request, body);
    await ask(sandbox, 'PUT /__sandbox/snapshots/before');
    writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(sandbox.snapshot()));
    await sandbox.close();
    // Not needed after a clean exit.
    rmSync(join(folder, 'sandbox', 'sandbox.sqlite-journal'), { force: true });

    const steps = await writeJournal(folder);

    const jobs = join(folder, 'jobs');
    const database = await createDatabase(inject('postgresPort'), { isEmpty: true });
    const program = ['--conditions=carillon-source', join(import.meta.dirname, 'job.ts'), database, jobs];
    // It kills itself.
    await new Promise((resolve) => execFile(process.execPath, program, { timeout: 120_000 }, resolve));
    expect(read(jobs, 'snapshot.json')).toHaveProperty('state');
    const dumpedAt = runSql(database, 'SELECT clock_timestamp()');
    writeFileSync(join(jobs, 'dump.sql'), dump(database).replaceAll(`\t${hostname()}\t`, '\tworker\t'));
    for (const name of ['attempts', 'contacts.csv']) rmSync(join(jobs, name), { recursive: true, force: true });

    const written = { journal: { steps }, jobs: { dumpedAt, system: systemOf(database) } };
    writeFileSync(join(folder, 'written.json'), `${JSON.stringify(written, null, 2)}\n`);
  },
  180_000,
);
