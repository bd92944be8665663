import { expect, test } from 'vitest';
import type { JobDefinition } from '../../src/jobs/index.ts';
import { readStore } from './store/stores.ts';
import { all, created, open, problems, type Tag, tagJob, withoutLookup } from './tag-job.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

test(`keeps the results of completed rows, and discards their values`, async () => {
  const { jobs, sandbox, folder } = await open(tagJob());
  await jobs.plan(tagJob(), { options: ['a'] });
  await jobs.work({ until: 'tags' });
  const [tag] = [...sandbox.state.crm.tags.values()].filter(({ name }) => name === 'a');
  expect(await all(jobs.results('tags'))).toEqual([{ key: 'a', line: 2, results: { tag: tag?.id } }]);
  expect(readStore(folder, 'SELECT "values" FROM rows')).toEqual([{ values: null }]);
});

test(`a rejected row has the service's reason, and can be repaired with other values`, async () => {
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
    { key: 'tag 1', line: 3, state: 'rejected', step: 'tag', reason: 'Taken', values: { name: 'tag 1' } },
  ]);
  const repaired = [{ key: 'tag 1', line: 3, values: { name: 'other' } }];
  const source = { checksum: async () => '', rows: () => repaired };
  expect(await jobs.repair('tags', source)).toBe(1);
  await expect(jobs.repair('tags', source)).rejects.toThrow('tag 1 is not a rejected or invalid row');
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 3 } });
  expect([...sandbox.state.crm.tags.values()].filter(({ name }) => name === 'other')).toHaveLength(1);
});

test.each([
  ['before', 'not done', 2],
  ['after', 'done', 1],
] as const)(
  `if a response is lost %s the request is processed, a row without lookup is unknown until a person decides`,
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

test(`a 429 pauses the account, and the row is sent again after the wait`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  sandbox.faults.add({ operation: 'createTag', status: 429, headers: { 'Retry-After': '1' } });
  await jobs.plan(tagJob(), { options: names(5) });
  const begun = Date.now();
  await jobs.work({ until: 'tags', concurrency: 1 });
  expect(Date.now() - begun).toBeGreaterThan(900);
  expect(await jobs.status('tags')).toMatchObject({ rows: { done: 5 } });
});

test(`an invalid key pauses the job with the reason, and loses no row`, async () => {
  const { jobs, sandbox, warn } = await open(tagJob());
  const fault = sandbox.faults.add({ operation: 'createTag', status: 401, times: 'always' });
  await jobs.plan(tagJob(), { options: names(5) });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'paused', reason: expect.stringContaining('401') });
  // Rows in flight met the same 401.
  const pauses = warn.mock.calls.flat().filter((line) => line.includes('pause'));
  expect(pauses).toEqual([expect.stringMatching(/^carillon: tags: paused: .*401/)]);
  sandbox.faults.remove(fault);
  await jobs.resume('tags');
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 5 } });
});

test(`cancel takes effect within one request, and a cancelled job can be forgotten and removed`, async () => {
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
});

test(`close stops the workers of its program, which lose no response, and others continue`, async () => {
  let closing: Promise<void> | undefined;
  const job = tagJob({
    steps: [
      {
        name: 'tag',
        async send({ name }, { api }) {
          const { id } = await api.crm.tags.create({ name });
          closing ??= jobs.close();
          return id;
        },
      },
    ],
  });
  const { jobs, sandbox, folder } = await open(job);
  await jobs.plan(job, { options: names(20) });
  await jobs.work({ until: 'tags' });
  await closing;
  expect(created(sandbox)).toBeGreaterThan(0);
  expect(created(sandbox)).toBeLessThan(20);
  const next = await open(job, { folder });
  closing = Promise.resolve();
  await next.jobs.work({ until: 'tags' });
  expect(await next.jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 20 } });
  expect(created(sandbox) + created(next.sandbox)).toBe(20);
});

test(`a job never exceeds its limit of rows in flight over two workers`, async () => {
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
  // A part for each worker. Rows with a problem only fill the first part.
  const source = (given: string[]) => ({
    checksum: async () => 'same',
    rows: () =>
      given.map((name, index) => {
        const row = { key: name, line: index + 2, values: { name } };
        return index < 4 || index >= 100 ? row : { ...row, problem: 'not needed' };
      }),
  });
  const job = tagJob({ steps, source });
  const { jobs, folder } = await open(job);
  const second = await open(job, { folder });
  await jobs.plan(job, { options: names(104), concurrency: 2 });
  await Promise.all([jobs.work({ until: 'tags' }), second.jobs.work({ until: 'tags' })]);
  expect(await jobs.status('tags')).toMatchObject({ rows: { done: 8 } });
  expect(most).toBe(2);
});

test(`stops a step before it sends a second writing request`, async () => {
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
