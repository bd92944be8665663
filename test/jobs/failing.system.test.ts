import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { attemptsFolder } from './attempts-folder.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { tagJob } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);
const job = tagJob();

/** Two workers whose service fails at writes in one way, and answers reads. */
async function failingWorkers(fail: () => Promise<Response> | Response, concurrency: number) {
  const database = await createDatabase(inject('postgresPort'));
  const sandbox = createSandbox();
  const service = { isBroken: true, posts: 0 };
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const open = async () => {
    const jobs = await openJobs({
      database,
      definitions: [job],
      client: {
        baseUrl: 'http://127.0.0.1:4012',
        auth: { apiKey: 'any' },
        async fetch(url, init) {
          const request = new Request(url, init);
          if (request.method !== 'POST') return sandbox.fetch(request);
          service.posts += 1;
          return service.isBroken ? fail() : sandbox.fetch(request);
        },
      },
      folder: await attemptsFolder(),
      logger: { warn: () => undefined },
    });
    onTestFinished(() => jobs.close());
    return jobs;
  };
  const [one, two] = [await open(), await open()];
  await one.plan(job, { options: names(100) });
  const begin = () =>
    Promise.all([one, two].map((jobs) => jobs.work({ until: 'tags', concurrency, signal: end.signal })));
  return { jobs: one, service, sandbox, begin };
}

const ways: [string, () => Promise<Response> | Response][] = [
  ['status 500', () => Response.json({ message: 'broken' }, { status: 500 })],
  ['HTML', () => new Response('<h1>Back soon</h1>', { headers: { 'content-type': 'text/html' } })],
  ['result: false', () => Response.json({ result: false })],
  ['no response', () => new Promise(() => undefined)],
  ['an empty body', () => new Response('')],
];

test.skipIf(missingPostgres).each(ways)(
  `if every write fails with %s and every read works, the job pauses after 20 and those in flight${skipped}`,
  async (_, fail) => {
    // Without the waits of the tries, which take minutes.
    const concurrency = 25;
    const { jobs, service, begin } = await failingWorkers(fail, concurrency);
    await begin();
    const { state, reason, rows } = await jobs.status('tags');
    expect(state).toBe('paused');
    expect(reason).toMatch(/^\d+ requests in a row had no sure outcome \(step tag\)\. Check the service/);
    expect(service.posts).toBeGreaterThanOrEqual(20);
    expect(service.posts).toBeLessThanOrEqual(20 + 2 * concurrency);
    expect(rows).toMatchObject({ done: 0, refused: 0, unknown: 0 });
    expect(rows.planned + rows.sent).toBe(100);
  },
);

test.skipIf(missingPostgres)(
  `while writes fail, one row of the job tries with growing waits, and the first answer opens the job for all${skipped}`,
  async () => {
    const { jobs, service, sandbox, begin } = await failingWorkers(ways[0]?.[1] ?? (() => new Response()), 3);
    const work = begin();
    const times: number[] = [];
    await vi.waitFor(
      () => {
        while (times.length < service.posts) times.push(performance.now());
        // Six were in flight.
        expect(times.length).toBeGreaterThanOrEqual(9);
      },
      { timeout: 30_000, interval: 5 },
    );
    const waits = times.slice(5).map((time, index, all) => time - (all[index - 1] ?? time));
    expect(waits[1]).toBeGreaterThan(400);
    expect(waits[2]).toBeGreaterThan(900);
    expect(waits[3]).toBeGreaterThan(1_900);
    service.isBroken = false;
    await work;
    expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 100 } });
    expect(sandbox.log.count({ operation: 'createTag' })).toBe(100);
  },
);
