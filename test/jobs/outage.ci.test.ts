import { expect, test, vi } from 'vitest';
import { isNightly } from '../support/amounts.ts';
import { open, problems, tagJob } from './tag-job.ts';

const patience = { timeout: 20_000, interval: 50 };

test(`shows an outage of the service in the status and one log line, and its end in another`, async () => {
  const job = tagJob({ deadline: 1_900 });
  const { jobs, sandbox, warn } = await open(job);
  await jobs.plan(job, { options: Array.from({ length: 60 }, (_, index) => `tag ${index}`) });
  sandbox.faults.add({ status: 503, times: 'always' });
  const onJob = vi.fn();
  const work = jobs.work({ until: 'tags', onJob });
  const outage = /^the service at 127\.0\.0\.1:4012 responds with status 503 since \S+Z$/;
  await vi.waitFor(async () => expect((await jobs.status('tags')).reason).toMatch(outage), patience);
  sandbox.faults.clear();
  await work;
  expect(await jobs.status('tags')).not.toHaveProperty('reason');
  expect(onJob.mock.calls).toEqual([
    ['tags', 'started'],
    ['tags', 'finished'],
  ]);
  expect(warn.mock.calls.flat()).toEqual([
    expect.stringMatching(/^carillon: tags: the service at 127\.0\.0\.1:4012 responds with status 503 since \S+Z\.$/),
    'carillon: tags: the service at 127.0.0.1:4012 is back.',
  ]);
});

test(`the status counts the rows with lost responses until they are looked up`, async () => {
  const job = tagJob({ deadline: 1_000 });
  const { jobs, sandbox } = await open(job);
  await jobs.plan(job, { options: ['a', 'b', 'c'] });
  sandbox.faults.add({ operation: 'createTag', drop: 'after' });
  const begun = Date.now();
  const work = jobs.work({ until: 'tags' });
  const lookups = await vi.waitFor(async () => {
    const found = await jobs.status('tags');
    if (!found.lookups) throw new Error('no lookup yet');
    return found.lookups;
  }, patience);
  expect(lookups.rows).toBe(1);
  expect(lookups.until.getTime()).toBeGreaterThan(begun + 1_000);
  await work;
  expect((await jobs.status('tags')).lookups).toBeUndefined();
});

test(`gives up and lists a row that fails every time while others succeed`, async () => {
  const { jobs, sandbox } = await open(tagJob());
  await jobs.plan(tagJob(), { options: ['a'] });
  // Lookups succeed, so the service is not down.
  sandbox.faults.add({ operation: 'createTag', status: 500, times: 'always' });
  await jobs.work({ until: 'tags' });
  expect(sandbox.log.list({ operation: 'createTag' }).length).toBe(5);
  const reason = expect.stringMatching(
    /^The service failed on this row 5 times, while it responded to other requests: .*500/,
  );
  expect(await problems(jobs)).toMatchObject([{ key: 'a', line: 2, state: 'unknown', reason }]);
});

test.runIf(isNightly)(`rejects a row that can never be read while others can`, async () => {
  const job = tagJob({
    steps: [
      {
        name: 'tag',
        repeatable: true,
        async send({ name }, { api, signal }) {
          if (name === 'broken') return (await api.crm.contacts.get({ contactId: 1 }, { signal })).id;
          return (await api.crm.tags.list({}, { signal })).length;
        },
      },
    ],
  });
  const { jobs, sandbox } = await open(job);
  const names = Array.from({ length: 100 }, (_, index) => `tag ${index}`);
  await jobs.plan(job, { options: ['broken', ...names], rate: 40 });
  sandbox.faults.add({ operation: 'getContact', status: 500, times: 'always' });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ rows: { done: 100, rejected: 1, unknown: 0 } });
  expect(await problems(jobs)).toMatchObject([
    { key: 'broken', state: 'rejected', reason: expect.stringMatching(/^The service failed on this row 5 times/) },
  ]);
});
