import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { foundBy, type JobDefinition, type JobStep, openJobs } from '../../src/jobs/index.ts';
import { gateWaits } from '../../src/jobs/work/gate.ts';
import { isNightly } from '../support/amounts.ts';
import { temporaryFolder } from './store/stores.ts';
import { type Tag, tagJob } from './tag-job.ts';

const names = (count: number, prefix = 'tag'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}`);

/** Answers in the form of the service. */
function answer(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

/** How every write fails. */
const ways: Record<string, (response: ServerResponse) => void> = {
  'status 500': (response) => answer(response, 500, '{"message":"broken"}'),
  'status 503 with HTML': (response) => answer(response, 503, '<h1>Back soon</h1>', 'text/html'),
  HTML: (response) => answer(response, 200, '<h1>Back soon</h1>', 'text/html'),
  'result: false': (response) => answer(response, 200, '{"result":false}'),
  'no response': () => undefined,
  'an empty body': (response) => answer(response, 200, ''),
  'half a response': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"id"', () => response.destroy());
  },
  'a closed connection': (response) => void response.destroy(),
};

/** Lookups of a row while writes fail. */
const lookups: Record<string, JobStep<Tag>['find']> = {
  'finds nothing': async ({ name }, { api, signal }) =>
    foundBy((await api.crm.tags.list({}, { signal })).find((tag) => tag.name === name)?.id),
  'says that it was done': async () => foundBy(1),
  'is not conclusive': async () => ({ outcome: 'unknown', reason: 'test' }),
  'fails, too': async (_, { api, signal }) => foundBy((await api.crm.boards.list({ signal })).length),
};

/** State of rows after the lookups that end them. */
const ends: Record<string, 'done' | 'unknown'> = { 'says that it was done': 'done', 'is not conclusive': 'unknown' };

/** A service over HTTP that answers reads, and of which writes can fail. */
async function startService(way: (response: ServerResponse) => void, delay = 0) {
  const service = {
    isBroken: true,
    url: '',
    posts: [] as string[],
    open: 0,
    atOnce: [] as number[],
    created: new Set<string>(),
  };
  const server = createServer(async (request, response) => {
    if (request.url?.includes('/boards')) return answer(response, 500, '{}');
    if (request.method !== 'POST') return answer(response, 200, '[]');
    let body = '';
    for await (const part of request) body += part;
    const { name } = JSON.parse(body);
    service.posts.push(name);
    service.open += 1;
    service.atOnce.push(service.open);
    await new Promise((resolve) => setTimeout(resolve, delay));
    service.open -= 1;
    if (service.isBroken) return way(response);
    service.created.add(name);
    answer(response, 200, '{"id":1}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  service.url = `http://127.0.0.1:${address.port}`;
  return service;
}

/** Lets the waits between tries be short until the end of a test. */
function shortenWaits(): void {
  const usual = { ...gateWaits };
  Object.assign(gateWaits, { first: 20, max: 40 });
  onTestFinished(() => void Object.assign(gateWaits, usual));
}

/** Two workers of one folder. */
async function twoWorkers(url: string, job: JobDefinition<Tag, string[]>, concurrency: number) {
  const folder = temporaryFolder();
  const end = new AbortController();
  const open = async () => {
    const jobs = await openJobs({
      definitions: [job],
      client: { baseUrl: url, auth: { apiKey: 'any' } },
      folder,
      logger: { warn: () => undefined },
    });
    onTestFinished(() => jobs.close());
    return jobs;
  };
  const [one, two] = [await open(), await open()];
  onTestFinished(() => end.abort());
  const begin = (until?: string) =>
    Promise.all([one, two].map((jobs) => jobs.work({ ...(until && { until }), concurrency, signal: end.signal })));
  /** Resolves when all jobs are paused. The waits between tries would take minutes. */
  const passWaits = async (): Promise<void> => {
    await vi.waitFor(async () => expect((await one.list()).filter(({ state }) => state !== 'paused')).toEqual([]), {
      timeout: 40_000,
      interval: 20,
    });
  };
  return { jobs: one, begin, end, passWaits };
}

const missing = (): never => {
  throw new Error('no such way');
};

const daily = ['status 500', 'HTML', 'a closed connection', 'says that it was done'];
/** Each way once, and each lookup once, with so few rows in flight that the job waits for lookups before it pauses. */
const failures = [
  ...Object.keys(ways)
    .filter((way) => isNightly || daily.includes(way))
    .map((way) => [way, 'finds nothing', 15] as const),
  ...Object.keys(lookups)
    .filter((says) => isNightly || daily.includes(says))
    .map((says) => ['HTML', says, 3] as const),
];

test.each(failures)(
  `if every write fails with %s and the lookup %s, the job pauses after 20 and those in flight (%i each)`,
  async (way, says, concurrency) => {
    shortenWaits();
    const looked: string[] = [];
    const find: JobStep<Tag>['find'] = async (values, context) => {
      looked.push(values.name);
      return (lookups[says] ?? missing)(values, context);
    };
    const service = await startService(ways[way] ?? missing);
    // Long enough for each request to reach the service.
    const job = tagJob({ deadline: 5_000, steps: tagJob().steps.map((step) => ({ ...step, find })) });
    const { jobs, begin, passWaits, end } = await twoWorkers(service.url, job, concurrency);
    await jobs.plan(job, { options: names(100) });
    const work = begin();
    if (concurrency < 10) await vi.waitFor(() => expect(looked.length).toBeGreaterThan(2), { timeout: 20_000 });
    await passWaits();
    end.abort();
    await work;
    const { state, reason, rows } = await jobs.status('tags');
    expect(state).toBe('paused');
    expect(reason).toMatch(/^\d+ consecutive requests had no certain outcome \(step tag\)\. Check the service/);
    expect(service.posts.length).toBeGreaterThanOrEqual(20);
    // Twenty in a row of each of the two workers, and those that were in flight.
    expect(service.posts.length).toBeLessThanOrEqual(2 * (20 + concurrency));
    // Only a lookup ends a row, and only one that was sent.
    const { planned, sent, ...ended } = rows;
    const outcome = ends[says];
    const count = outcome ? ended[outcome] : 0;
    expect(ended).toEqual({ done: 0, rejected: 0, invalid: 0, unknown: 0, ...(outcome && { [outcome]: count }) });
    expect(planned + sent + count).toBe(100);
    expect(count).toBeLessThanOrEqual(new Set(looked).size);
    if (outcome) expect(count).toBeGreaterThan(0);
  },
);

test(`while writes fail, one row of each job tries in each worker, and after 20 in a row each job pauses`, async () => {
  shortenWaits();
  const service = await startService((response) => answer(response, 500, '{}'), 20);
  const job = tagJob();
  const { jobs, begin, passWaits, end } = await twoWorkers(service.url, job, 3);
  await jobs.plan(job, { name: 'one', options: names(100, 'one') });
  await jobs.plan(job, { name: 'two', options: names(100, 'two') });
  const work = begin();
  // A gate closes after four failures, when two more requests are in flight: all four do long before this number.
  await vi.waitFor(() => expect(service.posts.length).toBeGreaterThanOrEqual(36), { timeout: 20_000 });
  await vi.waitFor(() => expect(service.open).toBe(0), { timeout: 20_000, interval: 1 });
  const before = service.posts.length;
  await passWaits();
  end.abort();
  await work;
  for (const prefix of ['one', 'two']) {
    const sent = service.posts.filter((name) => name.startsWith(prefix)).length;
    expect(sent).toBeGreaterThanOrEqual(20);
    expect(sent).toBeLessThanOrEqual(2 * (20 + 3));
  }
  // One row of each of the two jobs in each worker.
  expect(Math.max(...service.atOnce.slice(before))).toBeLessThanOrEqual(4);
});

test.runIf(isNightly)(
  `while writes fail, one row of the job tries with growing waits, and the first answer opens the job for all`,
  async () => {
    const service = await startService((response) => answer(response, 500, '{}'));
    const { jobs, begin } = await twoWorkers(service.url, tagJob(), 3);
    await jobs.plan(tagJob(), { options: names(100) });
    const work = begin('tags');
    const times: number[] = [];
    await vi.waitFor(
      () => {
        while (times.length < service.posts.length) times.push(performance.now());
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
    expect(service.created.size).toBe(100);
  },
);
