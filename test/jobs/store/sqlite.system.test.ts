import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import type { Run, Sql } from '../../../src/jobs/store/sql.ts';
import { createStore } from '../../../src/jobs/store/sql-store.ts';
import { openSqlite } from '../../../src/jobs/store/sqlite.ts';
import { FolderMemory } from '../../../src/jobs/work/folder-memory.ts';
import { open, tagJob } from '../tag-job.ts';
import { changeStore, claim, newJob, newWorker, outcomeOf, planKeys, readStore, temporaryFolder } from './stores.ts';

async function openStore(folder = temporaryFolder(), sql: Sql = openSqlite(folder)) {
  const store = createStore(sql);
  onTestFinished(() => store.close());
  await store.create();
  return { store, folder };
}

test('while a plan writes in batches, others work, and nobody sees its rows', async () => {
  const { store, folder } = await openStore();
  const { store: other } = await openStore(folder);
  const job = await planKeys(other, ['a', 'b']);
  const worker = await newWorker(other);
  const seen: unknown[] = [];
  await store.plan(newJob({ name: 'large' }), async (insert) => {
    for (const number of [0, 1]) {
      await insert([{ number, line: number, key: `${number}`, state: 'planned', reason: null, values: null }]);
      // The file is not locked between two batches.
      const { rows } = await claim(other, job, worker, 1);
      seen.push(
        rows.map(({ key }) => key),
        (await other.jobs()).map(({ name }) => name),
      );
      seen.push((await other.activeJobs(['q'], [])).map(({ name }) => name));
    }
    return { total: 2, plan: { rows: 2, planned: 2, leftOut: {}, repeated: 0, sameSource: [] } };
  });
  expect(seen).toEqual([['a'], ['tags'], ['tags'], ['b'], ['tags'], ['tags']]);
  expect((await other.jobs()).map(({ name, total }) => [name, total])).toEqual([
    ['large', 2],
    ['tags', 2],
  ]);
});

test('a plan that is killed leaves nothing that is sent, its name can be planned again, and its rows go', async () => {
  const { store, folder } = await openStore();
  // A process that was killed never returns.
  void store.plan(newJob({}), async (insert) => {
    await insert([{ number: 0, line: 2, key: 'old', state: 'planned', reason: null, values: null }]);
    return new Promise(() => undefined);
  });
  await expect.poll(() => readStore(folder, 'SELECT key FROM rows')).toEqual([{ key: 'old' }]);
  const { store: next } = await openStore(folder);
  expect([await next.jobs(), await next.activeJobs(['q'], [])]).toEqual([[], []]);
  changeStore(folder, 'UPDATE jobs SET planned_at = planned_at - 3600001');
  const job = await planKeys(next, ['new']);
  expect((await claim(next, job, await newWorker(next))).rows.map(({ key }) => key)).toEqual(['new']);
  expect(readStore(folder, 'SELECT key FROM rows')).toEqual([{ key: 'new' }]);
});

test('a call that waits for the lock of another process does not stop the thread', async () => {
  const { store, folder } = await openStore();
  const other = new DatabaseSync(join(folder, 'jobs.sqlite'));
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  let [turns, isOver] = [0, false];
  const call = newWorker(store).finally(() => {
    isOver = true;
  });
  const held = performance.now() + 1_500;
  while (performance.now() < held) {
    await sleep(1);
    turns += 1;
  }
  expect(isOver).toBe(false);
  other.exec('COMMIT');
  await call;
  // With a wait of 100 ms in the thread, and moments between them.
  expect(turns).toBeGreaterThan(10);
  expect(await store.workers()).toHaveLength(1);
});

test.runIf(process.platform === 'linux').each([
  ['NFS', 0x69_69],
  ['SMB', 0xff_53_4d_42],
  ['SMB', 0xfe_53_4d_42],
  ['9p', 0x01_02_19_97],
  ['FUSE', 0x65_73_55_46],
])('a folder on another machine (%s, %i) is invalid, for jobs and for logs', async (name, type) => {
  const { folder } = await openStore();
  const { statfsSync } = fs;
  onTestFinished(() => {
    Object.assign(fs, { statfsSync });
    syncBuiltinESMExports();
  });
  Object.assign(fs, { statfsSync: (path: string) => Object.assign(statfsSync(path), { type }) });
  syncBuiltinESMExports();
  const sentence = `${folder} is on a network file system (${name}), where file locks are unreliable. Use a folder on a local disk.`;
  const { jobs } = await open(tagJob(), { folder });
  await expect(jobs.list()).rejects.toThrow(sentence);
  // The locks of logs show which workers live, also those of a database.
  await expect(FolderMemory.open(folder)).rejects.toThrow(sentence);
});

/** Runs a program that opens jobs, in a Node whose modules some flags change. */
function run(program: string, ...flags: string[]): unknown {
  const text = `import { defineJob, openJobs } from './src/jobs/index.ts';
    const job = defineJob({ name: 'tags', version: 1, source: () => ({ checksum: async () => '', rows: () => [] }), steps: [{ name: 'tag', send: async () => 1 }] });
    const open = (more) => openJobs({ definitions: [job], client: { baseUrl: 'http://127.0.0.1:9', auth: { apiKey: 'any' } },
      folder: ${JSON.stringify(join(temporaryFolder(), 'jobs'))}, ...more });
    const reasonOf = (call) => call.then(() => 'none', (error) => error.name + ': ' + error.message);
    ${program}`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=carillon-source', '--no-warnings', ...flags, '--input-type=module', '-e', text],
    { cwd: repositoryRoot, encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('SQLite and the driver of Postgres are loaded when they are used, and not before', () => {
  const loaded = run(`
    import { createRequire } from 'node:module';
    const { cache } = createRequire(import.meta.url);
    const found = () => [process.moduleLoadList.includes('NativeModule sqlite'), Object.keys(cache).some((name) => /node_modules.pg.lib/.test(name))];
    const states = [found()];
    await reasonOf(open().then((jobs) => jobs.plan(job, { options: {} })));
    states.push(found());
    await reasonOf(open({ database: 'postgres://127.0.0.1:9/none' }).then((jobs) => jobs.list()));
    states.push(found());
    console.log(JSON.stringify(states));`);
  expect(loaded).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test('a Node without SQLite says in a sentence what a store, a log and a repair need', () => {
  const reasons = run(
    `import { SendLog } from './src/jobs/work/send-log.ts';
    import { openNotes } from './src/jobs/temporary-notes.ts';
    const jobs = await open();
    console.log(JSON.stringify(await Promise.all([jobs.plan(job, { options: {} }), SendLog.create('.', 1, ''), openNotes()].map(reasonOf))));`,
    '--no-experimental-sqlite',
  );
  const needs = (what: string) =>
    expect.stringMatching(
      new RegExp(`^\\w+: ${what} needs Node 22.13 or newer: Node v[\\d.]+ does not include SQLite\\.$`),
    );
  expect(reasons).toEqual([needs('A carillon-jobs file'), needs('A carillon-jobs log'), needs('A list of rows')]);
});

test('no statement of a worker reads the rows that have ended, however many there are', async () => {
  const folder = temporaryFolder();
  const sql = openSqlite(folder);
  const texts = new Set<string>();
  const noted =
    (run: Run): Run =>
    (text, parameters) => {
      texts.add(text);
      return run(text, parameters);
    };
  const { store } = await openStore(folder, {
    ...sql,
    run: noted(sql.run),
    transaction: (act) => sql.transaction((one) => act(noted(one))),
  });
  const job = await planKeys(store, ['a', 'b', 'c'], { concurrency: 2 });
  texts.clear();
  const worker = await newWorker(store);
  const { rows } = await claim(store, job, worker, 2);
  await store.settle(rows.map((row) => outcomeOf(row, { state: row.key === 'a' ? 'planned' : 'doubt' })));
  await store.takeDoubtful(job, 5);
  await store.activeJobs(['q'], [job]);
  await store.beat(worker);
  await store.heldBy(worker);
  await store.workers();
  await store.finish(job);
  const database = new DatabaseSync(join(folder, 'jobs.sqlite'));
  onTestFinished(() => database.close());
  const steps = [...texts].flatMap((text) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${text.replaceAll(/\$(\d+)/g, '?$1')}`)
      .all()
      .map(({ detail }) => String(detail)),
  );
  const ofRows = steps.filter((step) => /^(?:SCAN|SEARCH) (?:r|rows)\b/.test(step));
  expect(ofRows.length).toBeGreaterThan(8);
  // A partial index, or the rows that were named.
  const isNarrow = (step: string): boolean =>
    /USING (?:COVERING )?INDEX rows_(?:planned|doubt|claimed|worker)/.test(step) ||
    /\(job=\? AND number=\?\)/.test(step);
  expect(ofRows.filter((step) => !isNarrow(step))).toEqual([]);
});

test('a worker takes a job that is planned after it began', async () => {
  const { jobs } = await open(tagJob());
  await jobs.plan(tagJob(), { name: 'other', options: ['z'] });
  const end = new AbortController();
  const work = jobs.work({ signal: end.signal });
  await expect.poll(async () => (await jobs.status('other')).state).toBe('finished');
  await jobs.plan(tagJob(), { options: ['a'] });
  await expect.poll(async () => (await jobs.status('tags')).state).toBe('finished');
  end.abort();
  await work;
});
