import { expect, onTestFinished, test, vi } from 'vitest';
import { RowRejectedError } from '../../src/jobs/index.ts';
import { created, open, problems, tagJob } from './tag-job.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);
const [step] = tagJob().steps;
if (!step) throw new Error('no step');

/** A job whose program runs some code before the request. */
const jobThat = (act: (name: string) => void) =>
  tagJob({
    steps: [
      {
        ...step,
        async send(values, context) {
          act(values.name);
          return step.send(values, context);
        },
      },
    ],
  });

test(`a bug in the program rejects no row, and pauses the job after five with the stack`, async () => {
  let isFixed = false;
  const job = jobThat(() => {
    if (!isFixed) throw new TypeError('id of undefined');
  });
  const { jobs, sandbox } = await open(job);
  await jobs.plan(job, { options: names(50) });
  await jobs.work({ until: 'tags', concurrency: 1 });
  const status = await jobs.status('tags');
  expect(status).toMatchObject({ state: 'paused', rows: { planned: 50, rejected: 0 } });
  expect(status.reason).toMatch(
    /failed 5 consecutive times .*TypeError: id of undefined\n +at .*mistakes\.ci\.test\.ts/s,
  );
  isFixed = true;
  await jobs.resume('tags');
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 50 } });
  expect(created(sandbox)).toBe(50);
});

test(`a bug in the condition of a later step sends no earlier step again`, async () => {
  let isFixed = false;
  const job = tagJob({
    steps: [
      step,
      {
        name: 'second',
        applies() {
          if (!isFixed) throw new TypeError('id of undefined');
          return true;
        },
        send: async ({ name }, { api }) => (await api.crm.tags.create({ name: `${name}, second` })).id,
      },
    ],
  });
  const { jobs, sandbox } = await open(job);
  await jobs.plan(job, { options: names(10) });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'paused', rows: { planned: 10, rejected: 0 } });
  // Those that came after the fifth failure have sent nothing yet.
  expect(created(sandbox)).toBeGreaterThanOrEqual(5);
  isFixed = true;
  await jobs.resume('tags');
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 10 } });
  expect(created(sandbox)).toBe(20);
});

test(`a row that the program rejects has its reason, and the others are sent`, async () => {
  const job = jobThat((name) => {
    if (name === 'tag 1') throw new RowRejectedError('this name is reserved');
  });
  const { jobs } = await open(job);
  await jobs.plan(job, { options: names(3) });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 2, rejected: 1 } });
  expect(await problems(jobs)).toMatchObject([{ key: 'tag 1', state: 'rejected', reason: 'this name is reserved' }]);
});

test(`looks up sent rows while the job is paused`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  sandbox.faults.add({ operation: 'createTag', drop: 'after', times: 3 });
  await jobs.plan(tagJob(), { options: names(3) });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const work = jobs.work({ signal: end.signal });
  await vi.waitFor(() => expect(created(sandbox)).toBe(3), 30_000);
  await jobs.pause('tags');
  await vi.waitFor(async () => expect((await jobs.status('tags')).rows).toMatchObject({ done: 3 }), 30_000);
  end.abort();
  await work;
  expect((await jobs.status('tags')).state).toBe('paused');
});

test(`resume finishes a job whose last rows ended while it was paused`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  sandbox.faults.add({ operation: 'createTag', delay: 100, times: 'always' });
  await jobs.plan(tagJob(), { options: names(3) });
  const work = jobs.work({ until: 'tags' });
  await vi.waitFor(() => expect(created(sandbox)).toBe(3), 30_000);
  await jobs.pause('tags');
  await work;
  expect(await jobs.status('tags')).toMatchObject({ state: 'paused', rows: { done: 3 } });
  expect(await jobs.resume('tags')).toMatchObject({ state: 'finished' });
});
