import { copyFileSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { resumeJob } from '../../src/jobs/control/resume-job.ts';
import { openJobs } from '../../src/jobs/index.ts';
import { createStore } from '../../src/jobs/store/sql-store.ts';
import { openSqlite } from '../../src/jobs/store/sqlite.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { changeStore, temporaryFolder } from './store/stores.ts';
import { created, type Tag, tagJob } from './tag-job.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

/** Opens a program on a folder, with a service that all programs of a test share. */
async function openProgram(folder: string, sandbox = createSandbox(), job = tagJob()) {
  const jobs = await openJobs({
    definitions: [job],
    client: {
      baseUrl: 'http://127.0.0.1:4012',
      auth: { apiKey: 'any' },
      fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    },
    logger: { warn: () => undefined },
    folder,
  });
  onTestFinished(() => jobs.close());
  return { jobs, sandbox };
}

/** A job that stops after some requests. */
function stoppingJob(count: number, stop: () => void) {
  let sent = 0;
  const { steps } = tagJob();
  return tagJob({
    steps: steps.map((step) => ({
      ...step,
      async send(values: Tag, context: Parameters<typeof step.send>[1]) {
        const result = await step.send(values, context);
        sent += 1;
        if (sent === count) stop();
        return result;
      },
    })),
  });
}

const file = (folder: string): string => join(folder, 'jobs.sqlite');

/** Puts the tables of an earlier moment back into the same file, as a dump that is restored as data only. */
function restoreData(folder: string, copy: string): void {
  const database = new DatabaseSync(file(folder));
  database.exec(`ATTACH '${copy}' AS old; BEGIN;
    DELETE FROM rows; DELETE FROM workers; INSERT INTO rows SELECT * FROM old.rows; DELETE FROM jobs; INSERT INTO jobs SELECT * FROM old.jobs; COMMIT`);
  database.close();
}

async function sendSome(folder: string, sandbox: ReturnType<typeof createSandbox>, count: number): Promise<void> {
  const end = new AbortController();
  const program = await openProgram(
    folder,
    sandbox,
    stoppingJob(count, () => end.abort()),
  );
  await program.jobs.work({ until: 'tags', concurrency: 1, signal: end.signal });
  await program.jobs.close();
}

test('data that went back send nothing before an answer, and nothing twice after it', async () => {
  const folder = temporaryFolder();
  const { jobs, sandbox } = await openProgram(folder);
  await jobs.plan(tagJob(), { options: names(30) });
  await jobs.close();
  await sendSome(folder, sandbox, 5);
  const copy = join(temporaryFolder(), 'copy');
  const source = new DatabaseSync(file(folder));
  source.exec(`VACUUM INTO '${copy}'`);
  source.close();
  await sendSome(folder, sandbox, 10);
  const before = created(sandbox);
  restoreData(folder, copy);
  const after = await openProgram(folder, sandbox);
  await after.jobs.work({ until: 'tags' });
  expect(await after.jobs.status('tags')).toMatchObject({
    state: 'paused',
    reason: expect.stringContaining('fewer claimed batches of rows than this machine has seen'),
  });
  expect(created(sandbox)).toBe(before);
  await expect(after.jobs.resume('tags')).rejects.toThrow('Specify which planned rows may have been sent');
  await after.jobs.resume('tags', { sent: 'all' });
  await after.jobs.work({ until: 'tags' });
  expect(await after.jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 30 } });
  const tags = [...sandbox.state.crm.tags.values()].map(({ name }) => name);
  expect(names(30).filter((name) => tags.filter((tag) => tag === name).length !== 1)).toEqual([]);
});

test('after an answer, the job goes on, also for a machine that saw more marks', async () => {
  const folder = temporaryFolder();
  const { jobs, sandbox } = await openProgram(folder);
  await jobs.plan(tagJob(), { options: names(10) });
  await jobs.close();
  await sendSome(folder, sandbox, 5);
  const database = new DatabaseSync(file(folder));
  database.exec('UPDATE jobs SET marks = 0');
  database.close();
  const after = await openProgram(folder, sandbox);
  await after.jobs.work({ until: 'tags' });
  await after.jobs.resume('tags', { sent: 'none' });
  await after.jobs.work({ until: 'tags' });
  expect(await after.jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 10 } });
});

test('an answer about rows that were sent is invalid if the data go back again meanwhile', async () => {
  const folder = temporaryFolder();
  const { jobs } = await openProgram(folder);
  await jobs.plan(tagJob(), { options: names(3) });
  changeStore(folder, `UPDATE jobs SET state = 'paused', went_back_at = 1`);
  const store = createStore(openSqlite(folder));
  onTestFinished(() => store.close());
  const changed = Object.assign(Object.create(store), {
    async endDelay() {
      changeStore(folder, 'UPDATE jobs SET went_back_at = 2');
    },
  });
  await expect(resumeJob(changed, 'tags', { sent: 'none' })).rejects.toThrow(
    'The job tags has changed in the meantime',
  );
  expect(await jobs.status('tags')).toMatchObject({ state: 'paused' });
  await jobs.resume('tags', { sent: 'none' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'running' });
});

test('a copied folder pauses its jobs until a person answers, and the original goes on', async () => {
  const folder = temporaryFolder();
  const { jobs, sandbox } = await openProgram(folder);
  await jobs.plan(tagJob(), { options: names(10) });
  await jobs.close();
  const copied = temporaryFolder();
  cpSync(folder, copied, { recursive: true });
  const copy = await openProgram(copied, sandbox);
  await copy.jobs.work({ until: 'tags' });
  expect(created(sandbox)).toBe(0);
  expect(await copy.jobs.status('tags')).toMatchObject({
    state: 'paused',
    reason: expect.stringContaining('restored, copied or moved'),
  });
  const original = await openProgram(folder, sandbox);
  await original.jobs.work({ until: 'tags' });
  expect(await original.jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 10 } });
  await copy.jobs.resume('tags', { sent: 'all' });
  await copy.jobs.work({ until: 'tags' });
  expect(await copy.jobs.status('tags')).toMatchObject({ rows: { done: 10 } });
  expect(created(sandbox)).toBe(10);
});

test('a plan asks if its folder remembers the job or its source, and the jobs were lost', async () => {
  const folder = temporaryFolder();
  const { jobs, sandbox } = await openProgram(folder);
  await jobs.plan(tagJob(), { options: names(3) });
  await jobs.work({ until: 'tags' });
  await jobs.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${file(folder)}${end}`, { force: true });
  const after = await openProgram(folder, sandbox);
  for (const name of ['tags', 'other']) {
    await expect(after.jobs.plan(tagJob(), { name, options: names(3) })).rejects.toThrow(
      /^This folder remembers .*lost, emptied or replaced.*Rows of that job may have been sent/,
    );
  }
  expect(await after.jobs.list()).toEqual([]);
  await after.jobs.plan(tagJob(), { options: names(3), isSentBefore: true });
  expect(await after.jobs.list()).toHaveLength(1);
  // Another source of another name is nothing that it knows.
  await after.jobs.plan(tagJob(), { name: 'new', options: ['x'] });
});

test('a removed job is not remembered', async () => {
  const folder = temporaryFolder();
  const { jobs } = await openProgram(folder);
  await jobs.plan(tagJob(), { options: names(1) });
  await jobs.work({ until: 'tags' });
  await jobs.remove('tags');
  await jobs.plan(tagJob(), { options: names(1) });
  expect(await jobs.list()).toHaveLength(1);
});

test('a file that is replaced or removed while it is used stops the worker', async () => {
  const folder = temporaryFolder();
  const { jobs, sandbox } = await openProgram(folder);
  await jobs.plan(tagJob(), { options: names(3) });
  const moved = `${file(folder)}.moved`;
  renameSync(file(folder), moved);
  copyFileSync(moved, file(folder));
  await expect(jobs.work({ until: 'tags' })).rejects.toThrow('is not the file that this process opened');
  expect(created(sandbox)).toBe(0);
});

test('a database that is given but empty is invalid, and so is a folder of an earlier form, by its name', async () => {
  const given = { definitions: [], client: { baseUrl: 'http://127.0.0.1:1', auth: null }, folder: temporaryFolder() };
  await expect(openJobs({ ...given, database: '' })).rejects.toThrow("The 'database' option is an empty string");
  await expect(openJobs({ ...given, database: undefined })).rejects.toThrow("The 'database' option is an empty string");
  await expect(openJobs({ ...given, database: 'jobs.sqlite' })).rejects.toThrow(
    'must be an address such as postgres://',
  );
  new DatabaseSync(join(given.folder, '12345678-sent-1.sqlite')).exec('CREATE TABLE t (a)');
  const jobs = await openJobs(given);
  onTestFinished(() => jobs.close());
  await expect(jobs.plan(tagJob(), { options: [] })).rejects.toThrow(
    '-sent-1.sqlite was written by an earlier version',
  );
  expect(existsSync(file(given.folder))).toBe(false);
});
