import { expect, onTestFinished, test, vi } from 'vitest';
import { openJobs } from '../../src/jobs/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from './store/stores.ts';
import { tagJob, withoutLookup } from './tag-job.ts';

const patience = { timeout: 20_000, interval: 20 };
const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}`);

/** A service with one answer for each job, by the first word of the name of the tag. */
function startService() {
  const sandbox = createSandbox();
  const ways = new Map<string, (request: Request) => Promise<Response> | Response>();
  const sent: string[] = [];
  return {
    sandbox,
    ways,
    /** Names in the order of their requests. */
    sent,
    /** Delays requests by the first word of the name, so that they take longer than a claim, as over a network. */
    delay(...prefixes: string[]): void {
      const delayed = async (request: Request): Promise<Response> => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return sandbox.fetch(request);
      };
      for (const prefix of prefixes) ways.set(prefix, delayed);
    },
    of: (prefix: string): number => sent.filter((name) => name.startsWith(`${prefix} `)).length,
    async fetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
      const request = new Request(url, init);
      if (request.method !== 'POST') return sandbox.fetch(request);
      const { name } = await request.clone().json();
      sent.push(name);
      const way = ways.get(name.split(' ')[0]);
      return way ? way(request) : sandbox.fetch(request);
    },
  };
}

type Service = ReturnType<typeof startService>;

async function openWith(service: Service, { job = tagJob() }: { job?: ReturnType<typeof tagJob> } = {}) {
  const warn = vi.fn();
  const jobs = await openJobs({
    definitions: [job],
    client: { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' }, fetch: service.fetch },
    logger: { warn },
    folder: temporaryFolder(),
  });
  onTestFinished(() => jobs.close());
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return { jobs, warn, signal: stop.signal, stop: () => stop.abort() };
}

test(`the rate of one job does not hold another job of the same worker`, async () => {
  const service = startService();
  const { jobs, signal } = await openWith(service);
  await jobs.plan(tagJob(), { name: 'slow', options: names('slow', 300), rate: 0.5 });
  await jobs.plan(tagJob(), { name: 'fast', options: names('fast', 50) });
  await jobs.work({ until: 'fast', signal });
  expect(await jobs.status('fast')).toMatchObject({ state: 'finished', rows: { done: 50 } });
  expect(service.of('slow')).toBeLessThan(20);
});

test(`the rate within a step does not hold another job of the same worker`, async () => {
  const service = startService();
  const job = tagJob({
    deadline: 60_000,
    steps: [
      {
        name: 'tag',
        async send({ name }, { api, signal }) {
          for (let count = 0; count < 3; count += 1) await api.crm.tags.list({}, { signal });
          return (await api.crm.tags.create({ name }, { signal })).id;
        },
      },
    ],
  });
  const { jobs, signal } = await openWith(service, { job });
  await jobs.plan(job, { name: 'slow', options: names('slow', 300), rate: 0.5 });
  await jobs.plan(job, { name: 'fast', options: names('fast', 20) });
  await jobs.work({ until: 'fast', concurrency: 1, signal });
  expect(await jobs.status('fast')).toMatchObject({ state: 'finished', rows: { done: 20 } });
});

test.each([
  ['fails', () => Response.json({ message: 'broken' }, { status: 500 })],
  [
    'cannot be reached',
    () =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) })),
  ],
  ['does not respond', () => new Promise<Response>(() => undefined)],
])(`a job whose service %s does not hold another job of the same worker`, async (_, way) => {
  const service = startService();
  service.ways.set('broken', way);
  const { jobs, signal, stop } = await openWith(service, { job: tagJob(withoutLookup) });
  await jobs.plan(tagJob(withoutLookup), { name: 'broken', options: names('broken', 300) });
  const work = jobs.work({ signal });
  await vi.waitFor(() => expect(service.of('broken')).toBeGreaterThan(3), patience);
  await jobs.plan(tagJob(withoutLookup), { name: 'fine', options: names('fine', 50) });
  const begun = performance.now();
  await vi.waitFor(async () => expect((await jobs.status('fine')).state).toBe('finished'), patience);
  // Less than the wait of a closed gate at its longest.
  expect(performance.now() - begun).toBeLessThan(10_000);
  stop();
  await work;
});

test(`rows of a job with a higher priority go first`, async () => {
  const service = startService();
  const { jobs, signal } = await openWith(service);
  await jobs.plan(tagJob(), { name: 'low', options: names('low', 300) });
  await jobs.plan(tagJob(), { name: 'high', options: names('high', 150), priority: 5 });
  await jobs.work({ until: 'low', concurrency: 2, signal });
  const last = service.sent.findLastIndex((name) => name.startsWith('high'));
  // Some rows of the first job were on their way when the second one was noticed.
  expect(service.sent.slice(0, last).filter((name) => name.startsWith('low')).length).toBeLessThan(20);
  expect(service.sent.length).toBe(450);
  expect(await jobs.status('high')).toMatchObject({ priority: 5, rows: { done: 150 } });
});

test(`set changes the priority of a running job`, async () => {
  const service = startService();
  service.delay('one', 'two');
  const { jobs, signal } = await openWith(service);
  await jobs.plan(tagJob(), { name: 'one', options: names('one', 300), priority: 1 });
  await jobs.plan(tagJob(), { name: 'two', options: names('two', 100) });
  const work = jobs.work({ until: 'one', concurrency: 2, signal });
  await vi.waitFor(() => expect(service.of('one')).toBeGreaterThan(20), patience);
  expect(service.of('two')).toBe(0);
  expect(await jobs.set('two', { priority: 2 })).toMatchObject({ priority: 2 });
  await work;
  const last = service.sent.findLastIndex((name) => name.startsWith('two'));
  expect(service.sent.slice(last).filter((name) => name.startsWith('one')).length).toBeGreaterThan(100);
  await expect(jobs.set('two', { priority: 1.5 })).rejects.toThrow('priority must be a whole number');
});

test(`jobs of the same priority share a worker`, async () => {
  const service = startService();
  service.delay('long', 'short');
  const { jobs, signal } = await openWith(service);
  await jobs.plan(tagJob(), { name: 'long', options: names('long', 600) });
  await jobs.plan(tagJob(), { name: 'short', options: names('short', 100) });
  await jobs.work({ until: 'short', concurrency: 4, signal });
  const last = service.sent.findLastIndex((name) => name.startsWith('short'));
  // Ignore later rows of the other job: the worker sends them until the store has the last outcome.
  expect(service.sent.slice(0, last).filter((name) => name.startsWith('long')).length).toBeLessThan(200);
});

test(`set ends the wait of a slow job at once`, async () => {
  const service = startService();
  const { jobs, signal } = await openWith(service);
  // One request in 100 seconds.
  await jobs.plan(tagJob(), { name: 'slow', options: names('slow', 30), rate: 0.01 });
  const work = jobs.work({ until: 'slow', signal });
  await vi.waitFor(() => expect(service.of('slow')).toBe(1), patience);
  await jobs.set('slow', { rate: 1_000 });
  await work;
  expect(await jobs.status('slow')).toMatchObject({ state: 'finished', rows: { done: 30 } });
});

const limited = (seconds: number) => () =>
  Response.json({ message: 'slow down' }, { status: 429, headers: { 'retry-after': String(seconds) } });

test(`resume ends any wait of a running job: of the account, and of a closed gate`, async () => {
  const service = startService();
  service.ways.set('tag', limited(7_200));
  const { jobs, signal } = await openWith(service);
  await jobs.plan(tagJob(), { options: names('tag', 30) });
  const work = jobs.work({ until: 'tags', signal });
  await vi.waitFor(async () => expect((await jobs.status('tags')).waitingUntil).toBeDefined(), patience);
  // A response that comes later makes the account wait again.
  await vi.waitFor(async () => expect((await jobs.status('tags')).rows.sent).toBe(0), patience);
  service.ways.set('tag', () => Response.json({ message: 'broken' }, { status: 503 }));
  await jobs.resume('tags');
  await vi.waitFor(async () => expect((await jobs.status('tags')).reason).toBeDefined(), patience);
  service.ways.clear();
  await jobs.resume('tags');
  await work;
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 30 } });
});

test(`a plan of an existing job with other settings leaves its own`, async () => {
  const { jobs } = await openWith(startService());
  const plan = (settings: { rate?: number; priority?: number; concurrency?: number } = {}) =>
    jobs.plan(tagJob(), { options: names('tag', 3), ...settings });
  await plan({ rate: 2, priority: 1 });
  const again = await plan({ rate: 1, concurrency: 4 });
  expect(again).toMatchObject({ rate: 2, priority: 1 });
  expect(again).not.toHaveProperty('concurrency');
});
