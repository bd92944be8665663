import { expect, onTestFinished, test } from 'vitest';
import { type JobDefinition, openJobs } from '../../src/jobs/index.ts';
import { missingPostgres } from './start-postgres.ts';
import { all, created, open, problems, type Tag, tagJob, withoutLookup } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);
const aTest = test.skipIf(missingPostgres);

aTest(`a job is planned once; a changed definition, source or options are rejected with advice${skipped}`, async () => {
  const { jobs, database } = await open(tagJob());
  const [first] = [await jobs.plan(tagJob(), { options: names(3) })];
  expect(first).toMatchObject({ state: 'running', total: 3, rows: { planned: 3 } });
  expect((await jobs.plan(tagJob(), { options: names(3) })).plannedAt).toEqual(first.plannedAt);
  await expect(jobs.plan(tagJob(), { options: names(4) })).rejects.toThrow('The source of the job tags has changed');
  await expect(jobs.plan(tagJob({ version: 2 }), { options: names(3) })).rejects.toThrow('tags, version 2 (tag)');
  const other = await open(tagJob({ version: 2 }), { database });
  await expect(other.jobs.work({ until: 'tags' })).rejects.toThrow(
    'Finish it with the program that planned it, or cancel it',
  );
  expect(created(other.sandbox)).toBe(0);
});

aTest(`a source that throws, or changes while it is read, leaves nothing behind${skipped}`, async () => {
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
  await expect(jobs.plan(moving, { options: [] })).rejects.toThrow('changed while it was read');
  expect(await jobs.list()).toEqual([]);
});

aTest(`a key that appears twice is a refused row that names both lines${skipped}`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  await jobs.plan(tagJob(), { options: ['a', 'b', 'a'] });
  await jobs.work({ until: 'tags' });
  expect(await problems(jobs)).toMatchObject([
    { line: 4, state: 'refused', reason: 'The key a is that of line 2, too' },
  ]);
  expect(created(sandbox)).toBe(2);
});

aTest(`completed rows keep no content, and a job that keeps results returns them${skipped}`, async () => {
  const { jobs } = await open(tagJob());
  await jobs.plan(tagJob(), { options: ['a'] });
  await jobs.plan(tagJob({ keep: 'results' }), { name: 'second', options: ['b'] });
  await jobs.work({ until: 'tags' });
  expect(await all(jobs.results('tags'))).toEqual([{ key: 'a', line: 2, results: {} }]);
});

aTest(`a refused row has the reason of the service, and is repaired with other values${skipped}`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  sandbox.faults.add({
    operation: 'createTag',
    match: { body: { name: 'tag 1' } },
    status: 422,
    body: { message: 'Taken' },
  });
  await jobs.plan(tagJob(), { options: names(3) });
  await jobs.work({ until: 'tags' });
  expect(await problems(jobs)).toMatchObject([
    { key: 'tag 1', line: 3, state: 'refused', step: 'tag', reason: 'Taken', values: { name: 'tag 1' } },
  ]);
  const repaired = [{ key: 'tag 1', line: 3, values: { name: 'other' } }];
  const source = { checksum: async () => '', rows: () => repaired };
  expect(await jobs.repair('tags', source)).toBe(1);
  await expect(jobs.repair('tags', source)).rejects.toThrow('tag 1 is not a refused row');
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 3 } });
  expect([...sandbox.state.crm.tags.values()].filter(({ name }) => name === 'other')).toHaveLength(1);
});

aTest.each([
  ['before', 'not done', 2],
  ['after', 'done', 1],
] as const)(
  `a reply lost %s the request was processed, without a lookup, is unknown until a person decides${skipped}`,
  async (drop, outcome, requests) => {
    const job = tagJob(withoutLookup);
    const { jobs, sandbox } = await open(job);
    sandbox.faults.add({ operation: 'createTag', drop });
    await jobs.plan(job, { options: names(1) });
    await jobs.work({ until: 'tags' });
    expect(await problems(jobs)).toMatchObject([{ key: 'tag 0', state: 'unknown', step: 'tag' }]);
    await jobs.decide('tags', 'tag 0', { outcome, ...(outcome === 'done' && { result: 7 }) });
    await jobs.work({ until: 'tags' });
    expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 1 } });
    expect(created(sandbox)).toBe(requests);
  },
);

aTest(`a 429 pauses the account, and the row is sent again after its time${skipped}`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  sandbox.faults.add({ operation: 'createTag', status: 429, headers: { 'Retry-After': '1' } });
  await jobs.plan(tagJob(), { options: names(5) });
  const begun = Date.now();
  await jobs.work({ until: 'tags', concurrency: 1 });
  expect(Date.now() - begun).toBeGreaterThan(900);
  expect(await jobs.status('tags')).toMatchObject({ rows: { done: 5 } });
});

aTest(`a key that the service refuses pauses the job with the reason, and loses no row${skipped}`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  const fault = sandbox.faults.add({ operation: 'createTag', status: 401, times: 'always' });
  await jobs.plan(tagJob(), { options: names(5) });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'paused', reason: expect.stringContaining('401') });
  sandbox.faults.remove(fault);
  await jobs.resume('tags');
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 5 } });
});

aTest(
  `cancelling takes effect within one request, and a cancelled job can be forgotten and removed${skipped}`,
  async () => {
    let cancel: Promise<unknown> | undefined;
    const { jobs, sandbox } = await open(
      tagJob({
        steps: [
          {
            name: 'tag',
            async send({ name }, { api }) {
              const { id } = await api.crm.tags.create({ name });
              cancel ??= jobs.cancel('tags');
              await cancel;
              return id;
            },
          },
        ],
      }),
    );
    await jobs.plan(tagJob(), { options: names(50) });
    await jobs.work({ until: 'tags', concurrency: 1 });
    expect(created(sandbox)).toBe(1);
    expect(await jobs.status('tags')).toMatchObject({ state: 'cancelled', rows: { done: 1, planned: 49 } });
    await expect(jobs.resume('tags')).rejects.toThrow('is cancelled');
    expect(await jobs.forget('tags')).toBe(50);
    await jobs.remove('tags');
    expect(await jobs.list()).toEqual([]);
  },
);

aTest(`a job never has more rows in flight than its limit, over two workers${skipped}`, async () => {
  let inFlight = 0;
  let most = 0;
  const steps = [
    {
      name: 'tag',
      async send() {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await new Promise(setImmediate);
        inFlight -= 1;
        return null;
      },
    },
  ];
  // A part for each worker. Most rows only fill the first one: nothing is sent for them.
  const source = (given: string[]) => ({
    checksum: async () => 'same',
    rows: () =>
      given.map((name, index) => {
        const row = { key: name, line: index + 2, values: { name } };
        return index < 8 || index >= 100 ? row : { ...row, problem: 'not needed' };
      }),
  });
  const job = tagJob({ steps, source, concurrency: 2 });
  const { jobs, database } = await open(job);
  const second = await open(job, { database });
  await jobs.plan(job, { options: names(108) });
  await Promise.all([jobs.work({ until: 'tags' }), second.jobs.work({ until: 'tags' })]);
  expect(await jobs.status('tags')).toMatchObject({ rows: { done: 16 } });
  expect(most).toBe(2);
});

aTest(`a step that sends a second request that writes is stopped before it${skipped}`, async () => {
  const steps = [
    {
      name: 'tag',
      async send({ name }: Tag, { api }: Parameters<JobDefinition<Tag>['steps'][number]['send']>[1]) {
        await api.crm.tags.create({ name });
        return (await api.crm.tags.create({ name: `${name} again` })).id;
      },
    },
  ];
  const job = tagJob({ steps });
  const { jobs, sandbox } = await open(job);
  await jobs.plan(job, { options: names(1) });
  await jobs.work({ until: 'tags' });
  expect(created(sandbox)).toBe(1);
  expect(await problems(jobs)).toMatchObject([{ state: 'unknown' }]);
});

aTest(`another schema's tables, and tables of a newer version, are one clear sentence${skipped}`, async () => {
  const { jobs, database } = await open(tagJob());
  await jobs.close();
  const pg = await import('pg');
  const sql = new pg.default.Client(database);
  await sql.connect();
  onTestFinished(() => sql.end());
  await sql.query(`COMMENT ON SCHEMA carillon_jobs IS 'carillon jobs, version 99'; CREATE TABLE public.other ()`);
  const settings = { database, definitions: [], client: { baseUrl: 'http://127.0.0.1:1', auth: null } };
  await expect(openJobs(settings)).rejects.toThrow('have version 99, and this program knows 2. Update carillon');
  await expect(openJobs({ ...settings, schema: 'public' })).rejects.toThrow('The schema public contains other tables');
});
