import { expect, test, vi } from 'vitest';
import { created, open, tagJob } from './tag-job.ts';

const names = Array.from({ length: 40 }, (_, index) => `tag ${index}`);

test(`set changes the rate of a running job within its chunk`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  await jobs.plan(tagJob(), { options: names, rate: 2 });
  const work = jobs.work({ until: 'tags', concurrency: 1 });
  await vi.waitFor(() => expect(created(sandbox)).toBeGreaterThan(1), 30_000);
  expect(await jobs.set('tags', { rate: 1_000 })).toMatchObject({ rate: 1_000 });
  const changed = performance.now();
  await work;
  // At the old rate, it would take 19 seconds.
  expect(performance.now() - changed).toBeLessThan(9_000);
  expect(created(sandbox)).toBe(40);
});

test(`set keeps what it does not name, and what is no limit is invalid`, async () => {
  const { jobs } = await open(tagJob());
  await jobs.plan(tagJob(), { options: names, rate: 2, concurrency: 3 });
  expect(await jobs.set('tags', { rate: 0.5 })).toMatchObject({ rate: 0.5, concurrency: 3 });
  expect(await jobs.set('tags', { concurrency: null })).not.toHaveProperty('concurrency');
  await expect(jobs.set('tags', { rate: 0 })).rejects.toThrow('rate must be above 0');
  await expect(jobs.set('none', { rate: 1 })).rejects.toThrow('There is no job none.');
  expect(await jobs.status('tags')).toMatchObject({ rate: 0.5 });
});

test(`plan and set reject a concurrency that is not a whole number`, async () => {
  const { jobs } = await open(tagJob());
  const problem = 'tags: concurrency must be a whole number';
  await expect(jobs.plan(tagJob(), { options: names, concurrency: 2.5 })).rejects.toThrow(problem);
  await jobs.plan(tagJob(), { options: names, concurrency: 2 });
  await expect(jobs.set('tags', { concurrency: 1.5 })).rejects.toThrow(problem);
  expect(await jobs.status('tags')).toMatchObject({ concurrency: 2 });
});
