import { describe, expect, inject, it } from 'vitest';
import type { PlanOptions } from '../../src/jobs/types.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { changeStore } from './store/stores.ts';
import { created, open, problems, tagJob } from './tag-job.ts';

function update(...names: string[]) {
  const source = () => ({
    checksum: async () => names.join(),
    rows: () => names.map((name, index) => ({ key: name.toLowerCase(), line: index + 2, values: { name } })),
  });
  const options: PlanOptions<string[]> = { options: [], isUpdate: true };
  return [tagJob({ source }), options] as const;
}

describe.each([
  ['SQLite', undefined, false],
  ['Postgres', 'postgres', missingPostgres !== undefined],
])('a job of a source that grows, in %s', (_, kind, isMissing) => {
  it.skipIf(isMissing)('sends new rows, and none twice', async () => {
    const database = kind && (await createDatabase(inject('postgresPort')));
    const { jobs, sandbox } = await open(tagJob(), { ...(database !== undefined && { database }) });
    await jobs.plan(...update('A', 'B'));
    await jobs.work({ until: 'tags' });
    const grown = await jobs.plan(...update('C', 'B', 'D'));
    expect(grown).toMatchObject({ state: 'running', total: 4, rows: { done: 2, planned: 2 } });
    expect(grown.plan).toBeUndefined();
    await jobs.work({ until: 'tags' });
    expect(created(sandbox)).toBe(4);
    const found = await jobs.rows('tags', ['d', 'x', 'a']);
    expect(found).toMatchObject([
      { key: 'a', state: 'done', results: { tag: expect.any(Number) } },
      { key: 'd', state: 'done', line: 4 },
    ]);
    expect(await jobs.rows('tags', [])).toEqual([]);
  });

  it.skipIf(isMissing)('replaces planned rows by those of the source', async () => {
    const database = kind && (await createDatabase(inject('postgresPort')));
    const { jobs, sandbox } = await open(tagJob(), { ...(database !== undefined && { database }) });
    await jobs.plan(...update('A', 'B', 'c'));
    const changed = await jobs.plan(...update('C', 'A'));
    expect(changed.rows).toMatchObject({ planned: 2, invalid: 1 });
    expect(await problems(jobs)).toMatchObject([{ key: 'b', reason: 'The source no longer contains this row' }]);
    await jobs.work({ until: 'tags' });
    const names = [...sandbox.state.crm.tags.values()].map(({ name = '' }) => name);
    expect(names.filter((name) => name.length === 1)).toEqual(['A', 'C']);
    await jobs.plan(...update('b'));
    await jobs.work({ until: 'tags' });
    expect(created(sandbox)).toBe(3);
  });
});

it('has the rows of both programs that plan it at the same time', async () => {
  const { jobs, folder, sandbox } = await open(tagJob());
  const other = await open(tagJob(), { folder });
  await Promise.all([jobs.plan(...update('A', 'B')), other.jobs.plan(...update('A', 'B'))]);
  await jobs.work({ until: 'tags' });
  expect([created(sandbox), (await jobs.list()).length]).toEqual([2, 1]);
});

it('leaves rows that were sent, keeps results, and plans rejected ones with new values', async () => {
  const { jobs, folder } = await open(tagJob());
  await jobs.plan(...update('A', 'B', 'C', 'D'));
  changeStore(
    folder,
    `UPDATE rows SET state = 'claimed', worker = 1 WHERE key = 'a'; UPDATE rows SET state = 'unknown' WHERE key = 'b';
    UPDATE rows SET state = 'rejected' WHERE key = 'c'; UPDATE rows SET results = '{"other":1}' WHERE key = 'd'`,
  );
  const { rows } = await jobs.plan(...update('D', 'C', 'B', 'A'));
  expect(rows).toMatchObject({ sent: 1, unknown: 1, planned: 2 });
  expect(await jobs.rows('tags', ['a', 'b', 'c', 'd'])).toMatchObject([
    { key: 'a', line: 2 },
    { key: 'b', line: 3 },
    { key: 'c', line: 3 },
    { key: 'd', line: 2, results: { other: 1 } },
  ]);
});

it('a key that occurs twice, a cancelled job and a source that changes while it is read are invalid', async () => {
  const { jobs } = await open(tagJob());
  await jobs.plan(...update('A'));
  await expect(jobs.plan(...update('B', 'b'))).rejects.toThrow('Line 3: the key b is already used on line 2.');
  let reads = 0;
  const moving = tagJob({ source: () => ({ checksum: async () => String(reads++), rows: () => [] }) });
  await expect(jobs.plan(moving, { options: [], isUpdate: true })).rejects.toThrow('changed while it was being read');
  await jobs.cancel('tags');
  await expect(jobs.plan(...update('A'))).rejects.toThrow('The job was cancelled: plan a new job.');
});
