import { expect, onTestFinished, test } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from './store/stores.ts';
import { created, tagJob } from './tag-job.ts';

test('each program does the jobs of its version and its service, and does not wait for the others', async () => {
  const folder = temporaryFolder();
  const open = async (version: number, baseUrl = 'http://127.0.0.1:4012') => {
    const [sandbox, job] = [createSandbox(), tagJob({ version })];
    const jobs = await openJobs({
      definitions: [job],
      client: { baseUrl, auth: { apiKey: 'any' }, fetch: (url, init) => sandbox.fetch(new Request(url, init)) },
      folder,
    });
    onTestFinished(() => jobs.close());
    return { jobs, job, sandbox };
  };
  const [old, next, elsewhere] = [await open(1), await open(2), await open(1, 'http://127.0.0.1:9')];
  for (const [name, { jobs, job }] of Object.entries({ old, next, elsewhere }))
    await jobs.plan(job, { name, options: ['a', 'b'] });
  await old.jobs.work({ until: 'old' });
  const states = async () => (await old.jobs.list()).map(({ name, state, rows }) => [name, state, rows.done]);
  expect(await states()).toEqual([
    ['elsewhere', 'running', 0],
    ['next', 'running', 0],
    ['old', 'finished', 2],
  ]);
  await expect(old.jobs.work({ until: 'next' })).rejects.toThrow(
    'The job next is not for this program. It was planned with tags, version 2',
  );
  await expect(old.jobs.work({ until: 'elsewhere' })).rejects.toThrow(
    'The job elsewhere is not for this program. It was planned for http://127.0.0.1:9',
  );
  await next.jobs.work({ until: 'next' });
  expect(await states()).toContainEqual(['next', 'finished', 2]);
  expect([old, next, elsewhere].map(({ sandbox }) => created(sandbox))).toEqual([2, 2, 0]);
});
