import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JobsError, type SourceRow } from '../../src/jobs/index.ts';
import { created, open, problems, type Tag, tagJob } from './tag-job.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

test(`plans a job once, and rejects a changed definition, source or options with advice`, async () => {
  const { jobs, folder } = await open(tagJob());
  const [first] = [await jobs.plan(tagJob(), { options: names(3) })];
  expect(first).toMatchObject({ state: 'running', total: 3, rows: { planned: 3 } });
  expect((await jobs.plan(tagJob(), { options: names(3) })).plannedAt).toEqual(first.plannedAt);
  await expect(jobs.plan(tagJob(), { options: names(4) })).rejects.toThrow('The source of the job tags has changed');
  await expect(jobs.plan(tagJob({ version: 2 }), { options: names(3) })).rejects.toThrow('tags, version 2 (tag)');
  const other = await open(tagJob({ version: 2 }), { folder });
  await expect(other.jobs.work({ until: 'tags' })).rejects.toThrow(
    'Finish the job with the program that planned it, or cancel it',
  );
  expect(created(other.sandbox)).toBe(0);
});

test(`rolls back if a source throws or changes while it is read`, async () => {
  let reads = 0;
  const { jobs } = await open(tagJob());
  const broken = tagJob({
    source: () => ({
      checksum: async () => 'same',
      *rows() {
        yield { key: 'a', line: 2, values: { name: 'a' } };
        throw new Error('Line 3: a quote is not closed.');
      },
    }),
  });
  await expect(jobs.plan(broken, { options: [] })).rejects.toThrow('Line 3: a quote is not closed.');
  const checksum = async (): Promise<string> => {
    reads += 1;
    return String(reads);
  };
  const moving = tagJob({ source: () => ({ checksum, rows: () => [] }) });
  await expect(jobs.plan(moving, { options: [] })).rejects.toThrow('changed while it was being read');
  expect(await jobs.list()).toEqual([]);
});

test('rejects with the error of a source that cannot read its file, and does not blame the database', async () => {
  const { jobs, folder } = await open(tagJob());
  const missing = tagJob({
    source: () => ({ checksum: async () => readFileSync(join(folder, 'missing.csv'), 'utf8'), rows: () => [] }),
  });
  await expect(jobs.plan(missing, { options: [] })).rejects.toThrow(/^ENOENT/);
});

test(`a row with a repeated key is invalid, and its reason names both lines`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  await jobs.plan(tagJob(), { options: ['a', 'b', 'a'] });
  await jobs.work({ until: 'tags' });
  expect(await problems(jobs)).toMatchObject([
    { line: 4, state: 'invalid', reason: 'The key a is already used on line 2' },
  ]);
  expect(created(sandbox)).toBe(2);
});

test(`plan and update refuse a key or line that cannot be stored, and keep no row of the source`, async () => {
  const { jobs } = await open(tagJob());
  const long = `k${'é'.repeat(1_000)}`;
  const refused = [
    [{ key: '' }, 'Line 3: the row has no key.'],
    [{ key: long }, 'Line 3: the key has 2001 bytes. Shorten it to at most 2000 bytes.'],
    [
      { line: Number.NaN },
      'Line NaN: the line must be a whole number below 2147483648, such as the position of the row.',
    ],
    [{ line: 2.5 }, 'Line 2.5: the line must be a whole number below 2147483648, such as the position of the row.'],
    [
      { line: 2 ** 31 },
      'Line 2147483648: the line must be a whole number below 2147483648, such as the position of the row.',
    ],
  ] as const;
  const jobOf = (rows: readonly SourceRow<Tag>[]) =>
    tagJob({ source: () => ({ checksum: async () => JSON.stringify(rows), rows: () => rows }) });
  const good = { key: 'a', line: 2, values: { name: 'a' } };
  for (const [bad, message] of refused) {
    const rows = [good, { key: 'b', line: 3, values: { name: 'b' }, ...bad }];
    await expect(jobs.plan(jobOf(rows), { options: [] })).rejects.toThrow(new JobsError(message));
  }
  expect(await jobs.list()).toEqual([]);
  await jobs.plan(jobOf([good]), { options: [] });
  for (const [bad, message] of refused) {
    const rows = [good, { key: 'b', line: 3, values: { name: 'b' }, ...bad }];
    await expect(jobs.plan(jobOf(rows), { options: [], isUpdate: true })).rejects.toThrow(new JobsError(message));
  }
  expect(await jobs.status('tags')).toMatchObject({ total: 1 });
});

test('only plan and work create the file; other calls say that there are no jobs', async () => {
  const { jobs, folder } = await open(tagJob());
  await expect(jobs.list()).rejects.toThrow(/^There are no jobs in .*jobs\.sqlite: plan a job first/);
  expect(existsSync(join(folder, 'jobs.sqlite'))).toBe(false);
  await jobs.plan(tagJob(), { options: [] });
  expect(await jobs.list()).toMatchObject([{ name: 'tags', total: 0 }]);
});
