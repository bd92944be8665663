import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AttemptsFile } from '../../src/jobs/journal/attempts-file.ts';
import { attemptsFolder } from './attempts-folder.ts';
import { missingPostgres } from './start-postgres.ts';
import { connect, open, type Tag, tagJob } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';

test.skipIf(missingPostgres)(
  `only the user can read the file of a worker, and it keeps no results of rows that are done${skipped}`,
  async () => {
    const folder = await attemptsFolder();
    await rm(folder, { recursive: true });
    const job = tagJob({ steps: [{ name: 'tag', send: async () => 'personal-result' }] });
    const { jobs } = await open(job, { folder });
    await jobs.plan(job, { options: ['one', 'two'] });
    await jobs.work({ until: 'tags' });
    const files = await readdir(folder);
    expect(files).not.toEqual([]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of files) {
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      expect((await readFile(join(folder, name), 'latin1')).includes('personal-result'), name).toBe(false);
    }
  },
);

test.skipIf(missingPostgres)(`the file has each outcome while the database is waited for${skipped}`, async () => {
  const folder = await attemptsFolder();
  const answers: (() => void)[] = [];
  const send = ({ name }: Tag) => new Promise<string>((resolve) => answers.push(() => resolve(`answer to ${name}`)));
  const job = tagJob({ steps: [{ name: 'tag', send }] });
  const { jobs, database } = await open(job, { folder });
  const names = ['one', 'two', 'three', 'four'];
  await jobs.plan(job, { options: names });
  const work = jobs.work({ until: 'tags' });
  await vi.waitFor(() => expect(answers).toHaveLength(names.length), 30_000);
  const sql = await connect(database);
  await sql.query('BEGIN; LOCK TABLE carillon_jobs.rows IN EXCLUSIVE MODE');
  for (const answer of answers) {
    answer();
    // So that each outcome begins a statement, or waits for one.
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  }
  // In another process, because closing the file would end SQLite's lock of this one.
  const { stdout } = spawnSync('grep', ['-r', '-a', '-h', '-o', 'answer to [a-z]*', folder], { encoding: 'utf8' });
  // The log has a copy of a page for each change.
  expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(names.map((name) => `answer to ${name}`)));
  await sql.query('COMMIT');
  await work;
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: names.length } });
});

test('results of rows that are done leave a file that is in use with the next sign of life of its worker', async () => {
  const folder = await attemptsFolder();
  const tables = 'a0000000';
  const file = await AttemptsFile.open(folder, tables);
  onTestFinished(() => file.close());
  const row = { job: '1', seed: 'b0000000-0000-4000-8000-000000000000', number: 1, attempt: 1, worker: 7, step: 'tag' };
  const position = { place: 'here', position: '0/0', at: '' };
  const outcome = { ...row, state: 'done', results: { tag: 'personal-result' } } as const;
  file.begin([{ ...row, sentAt: '2026-11-26 12:00:00+00', results: {} }], position);
  file.end([outcome]);
  file.markWritten([outcome], [outcome], [outcome]);
  // In another process, because closing the file would end SQLite's lock of this one.
  const search = () => spawnSync('grep', ['-r', '-l', 'personal-result', folder], { encoding: 'utf8' }).stdout;
  expect(search()).not.toBe('');
  file.notePosition(position);
  expect(search()).toBe('');
});

test('the file knows a job whose first attempts could not be written', async () => {
  const folder = await attemptsFolder();
  const tables = 'a0000000';
  const file = await AttemptsFile.open(folder, tables);
  const common = { job: '1', seed: 'b0000000-0000-4000-8000-000000000000', worker: 7, step: 'tag', results: {} };
  const position = { place: 'here', position: '0/0', at: '' };
  const begin = () => file.begin([{ ...common, number: 1, attempt: 1, sentAt: '2026-11-26 12:00:00+00' }], position);
  const fail = () => {
    begin();
    throw new Error('the disk is full');
  };
  expect(() => file.together(fail)).toThrow('the disk is full');
  begin();
  file.close();
  const again = await AttemptsFile.open(folder, tables);
  const [job] = again.jobs;
  const kept = job && again.readKept(job, 0, 10);
  again.close();
  expect(kept).toMatchObject([{ number: 1, attempt: 1 }]);
});

test.skipIf(missingPostgres)(`the next start removes what a file has of a removed job${skipped}`, async () => {
  const folder = await attemptsFolder();
  const job = tagJob({
    steps: [
      {
        name: 'tag',
        async send({ name }) {
          if (name === 'lost') throw new Error('personal-reason');
          return 1;
        },
      },
    ],
  });
  const { jobs } = await open(job, { folder });
  await jobs.plan(job, { options: ['one'] });
  await jobs.plan(job, { name: 'kept', options: ['two'] });
  for (const name of ['tags', 'kept']) await jobs.work({ until: name });
  await jobs.remove('tags');
  await jobs.work({ until: 'kept' });
  const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.sqlite'));
  const file = await AttemptsFile.open(folder, name.slice(0, 8));
  try {
    expect(file.jobs).toHaveLength(1);
  } finally {
    file.close();
  }
});
