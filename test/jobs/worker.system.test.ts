import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'carillon';
import { expect, onTestFinished, test, vi } from 'vitest';
import { foundBy } from '../../src/jobs/define-job.ts';
import { type JobDefinition, OutcomeUnknownError } from '../../src/jobs/index.ts';
import { fingerprintOf, queueOf } from '../../src/jobs/plan/fingerprint.ts';
import { planJob } from '../../src/jobs/plan/plan-job.ts';
import type { Store } from '../../src/jobs/store/store.ts';
import { FolderMemory } from '../../src/jobs/work/folder-memory.ts';
import { SendLog } from '../../src/jobs/work/send-log.ts';
import { Worker } from '../../src/jobs/work/worker.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { changeStore, claim, databases, newWorker, outcomeOf, temporaryFolder } from './store/stores.ts';
import { created, open, problems, type Tag, tagJob } from './tag-job.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index}`);

/** A worker over a store of its own, whose functions a test can replace. */
async function openWorker(
  job: JobDefinition<Tag, string[]>,
  database: (typeof databases)[number],
  limits: { rate?: number } = {},
) {
  const folder = temporaryFolder();
  const store = await (await database.create())();
  const memory = await FolderMemory.open(folder);
  onTestFinished(() => memory.close());
  const sandbox = createSandbox();
  const client = {
    baseUrl: 'http://127.0.0.1:4012',
    auth: { apiKey: 'any' },
    fetch: (url: string, init: RequestInit) => sandbox.fetch(new Request(url, init)),
  };
  const target = { account: 'a', service: 's' };
  const api = createClient(client);
  const warn = vi.fn();
  const definitions = [job as JobDefinition];
  const queues = definitions.map((definition) => queueOf(target, fingerprintOf(definition)));
  const run = (changed: Partial<Store> = {}, signal?: AbortSignal) =>
    Worker.run(
      {
        memory,
        folder,
        api,
        definitions,
        queues,
        notices: new Set(),
        options: { client, logger: { warn } },
        store: Object.assign(Object.create(store), changed) as Store,
      },
      { until: 'tags', ...(signal && { signal }) },
    );
  const plan = (name: string) => planJob({ store, memory, target, api }, job, { name, options: names(20), ...limits });
  await plan('tags');
  return { store, sandbox, run, warn, folder, plan };
}

/** Names of tags that were not created exactly once. */
function wrong(sandbox: ReturnType<typeof createSandbox>, count: number): string[] {
  const tags = [...sandbox.state.crm.tags.values()].map(({ name }) => name);
  return names(count).filter((name) => tags.filter((tag) => tag === name).length !== 1);
}

const found = databases.filter(({ isMissing }) => !isMissing);

test.each(found)('a claim without a response on $name loses no row and sends none twice', async (database) => {
  const { store, sandbox, run } = await openWorker(tagJob(), database);
  let claims = 0;
  await run({
    async claim(request) {
      const claim = await store.claim(request);
      claims += 1;
      if (claims === 1) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      return claim;
    },
  });
  expect(wrong(sandbox, 20)).toEqual([]);
  expect((await store.jobs('tags'))[0]).toMatchObject({ state: 'finished' });
});

test.each(found)('a claim without a response on $name that commits late loses no row', async (database) => {
  const { store, sandbox, run } = await openWorker(tagJob(), database);
  let claims = 0;
  let late: (() => Promise<unknown>) | undefined;
  await run({
    async claim(request) {
      claims += 1;
      if (claims > 1) return store.claim(request);
      late = () => store.claim(request);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
    async heldBy(worker) {
      const rows = await store.heldBy(worker);
      const commit = late;
      late = undefined;
      await commit?.();
      return rows;
    },
  });
  expect(wrong(sandbox, 20)).toEqual([]);
  expect((await store.jobs('tags'))[0]).toMatchObject({ state: 'finished' });
});

test.each(found)(
  'a row on $name that becomes doubtful while the worker compares is not sent again',
  async (database) => {
    let compare = (): void => undefined;
    let settle = (): void => undefined;
    const isCompared = new Promise<void>((resolve) => {
      compare = resolve;
    });
    const isSettled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const job = tagJob({
      steps: tagJob().steps.map((step) => ({
        ...step,
        async send(values: Tag, context: Parameters<typeof step.send>[1]) {
          const id = await step.send(values, context);
          if (values.name !== 'tag 0') return id;
          await isCompared;
          throw new OutcomeUnknownError('its response is lost');
        },
      })),
    });
    const { store, sandbox, run } = await openWorker(job, database);
    let claims = 0;
    await run({
      async claim(request) {
        claims += 1;
        if (claims === 2) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
        return store.claim(request);
      },
      // Its reply takes longer than that of the outcome, which comes after it.
      async heldBy(worker) {
        const rows = await store.heldBy(worker);
        if (!rows.some(({ number }) => number === 0)) return rows;
        compare();
        await isSettled;
        return rows;
      },
      async settle(outcomes) {
        await store.settle(outcomes);
        if (outcomes.some(({ state }) => state === 'doubt')) setImmediate(settle);
      },
    });
    expect(created(sandbox)).toBe(20);
    expect(wrong(sandbox, 20)).toEqual([]);
    expect(await store.counts(1)).toMatchObject({ states: { done: 20 } });
  },
);

test.each(found)('after the clock of $name was set forward, lookups wait again', async (database) => {
  const { store, run } = await openWorker(tagJob(), database, { rate: 15 });
  let looks = 0;
  let jumpedAt = Number.POSITIVE_INFINITY;
  const waits: number[] = [];
  await run({
    async activeJobs(queues, known) {
      looks += 1;
      if (looks === 3) jumpedAt = performance.now();
      const ahead = looks >= 3 ? 3_600_000 : 0;
      return (await store.activeJobs(queues, known)).map((job) => ({ ...job, now: job.now + ahead, hasDue: true }));
    },
    async takeDoubtful(job, count) {
      const wait = performance.now() - jumpedAt;
      if (wait > 0) waits.push(wait);
      return store.takeDoubtful(job, count);
    },
  });
  expect(waits.length).toBeGreaterThan(0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(450);
});

test.each(found)('no claim on $name begins while the worker compares what it holds', async (database) => {
  const { store, run, plan } = await openWorker(tagJob(), database);
  await plan('others');
  const [comparing, claims] = [new Set<number>(), { count: 0, early: 0 }];
  let compared = 0;
  await run({
    async claim(request) {
      claims.count += 1;
      if (comparing.size > 0) claims.early += 1;
      if (claims.count <= 2) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      return store.claim(request);
    },
    async heldBy(worker) {
      compared += 1;
      const own = compared;
      comparing.add(own);
      // Each one takes longer than the one before it.
      for (let turn = 0; turn < 20 * own; turn += 1) await nextTurn();
      const rows = await store.heldBy(worker);
      comparing.delete(own);
      return rows;
    },
  });
  expect(compared).toBeGreaterThan(0);
  expect(claims.early).toBe(0);
});

test.each(found)('signs of life on $name do not wait for the recovery of another worker', async (database) => {
  const { store, run, folder } = await openWorker(tagJob(), database);
  await (await SendLog.create(folder, 5, await store.place())).close(false);
  let signs = 0;
  let recover = (): void => undefined;
  const isFree = new Promise<void>((resolve) => {
    recover = resolve;
  });
  await run({
    async heldBy(worker) {
      if (worker === 5) await isFree;
      return store.heldBy(worker);
    },
    async beat(worker) {
      signs += 1;
      if (signs === 3) recover();
      return store.beat(worker);
    },
  });
  expect(signs).toBeGreaterThanOrEqual(3);
});

test.each(found)('outcomes without a response on $name are settled again', async (database) => {
  const { store, sandbox, run } = await openWorker(tagJob(), database);
  let settled = 0;
  await run({
    async settle(outcomes) {
      await store.settle(outcomes);
      settled += 1;
      if (settled % 2 === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    },
  });
  expect(wrong(sandbox, 20)).toEqual([]);
  expect(await store.counts(1)).toMatchObject({ states: { done: 20 } });
});

test.each(found)(
  'a worker that was declared dead on $name goes on under another number, and sends nothing twice',
  async (database) => {
    const numbers = new Set<number>();
    let isDeclared = false;
    let store: Store | undefined;
    const job = tagJob({
      steps: tagJob().steps.map((step) => ({
        ...step,
        async send(values: Tag, context: Parameters<typeof step.send>[1]) {
          const [worker] = (await store?.workers()) ?? [];
          if (worker && !isDeclared) {
            isDeclared = true;
            await store?.unregister(worker.id);
            // Longer than a sign of life, in which rows without a worker become doubtful.
            await sleep(700);
          }
          return step.send(values, context);
        },
      })),
    });
    const opened = await openWorker(job, database);
    store = opened.store;
    await opened.run({
      async register(worker) {
        numbers.add(worker.id);
        await opened.store.register(worker);
      },
    });
    expect(numbers.size).toBeGreaterThan(1);
    // By chance, because a store that went back would count to the same ones again.
    const [first = 0, second = 0] = numbers;
    expect(Math.abs(second - first)).toBeGreaterThan(1);
    expect(wrong(opened.sandbox, 20)).toEqual([]);
  },
);

test('a request that is late after its claim is confirmed first, and does not leave if the row is gone', async () => {
  const attempts: string[] = [];
  const { steps } = tagJob();
  const job = tagJob({
    steps: steps.map((step) => ({
      ...step,
      async send(values: Tag, context: Parameters<typeof step.send>[1]) {
        attempts.push(values.name);
        // Longer than half of the deadline, for which a claim is valid.
        await sleep(250);
        return step.send(values, context);
      },
    })),
  });
  const { store, sandbox, run } = await openWorker(job, databases[0]);
  const end = new AbortController();
  let confirmed = 0;
  const work = run(
    {
      async confirm(row) {
        confirmed += 1;
        if (row.number < 3) return store.confirm(row);
        if (confirmed > 12) end.abort();
        // Another worker has it.
        return false;
      },
    },
    end.signal,
  );
  await work;
  expect(confirmed).toBeGreaterThanOrEqual(4);
  expect(created(sandbox)).toBe(3);
});

test('each step that is late after the claim is confirmed first, too', async () => {
  const { steps } = tagJob();
  const late = steps.map((step) => ({
    ...step,
    name: 'late',
    async send(values: Tag, context: Parameters<typeof step.send>[1]) {
      await sleep(200);
      return step.send({ name: `${values.name} late` }, context);
    },
  }));
  const { sandbox, run } = await openWorker(tagJob({ steps: [...steps, ...late] }), databases[0]);
  const end = new AbortController();
  let confirmed = 0;
  await run(
    {
      // Another worker has the rows.
      async confirm() {
        confirmed += 1;
        if (confirmed > 12) end.abort();
        return false;
      },
    },
    end.signal,
  );
  const tags = [...sandbox.state.crm.tags.values()].map(({ name }) => name ?? '');
  expect(tags.filter((name) => /^tag \d+$/.test(name)).length).toBeGreaterThan(0);
  expect(tags.filter((name) => name.endsWith('late'))).toEqual([]);
});

test.each(found)(
  'a lookup on $name begins at the earliest five seconds and the deadline after the claim or its confirmation',
  async (database) => {
    const { store } = await openWorker(tagJob({ deadline: 60_000 }), database);
    const [job] = await store.jobs('tags');
    const worker = await newWorker(store);
    const [lost, gone] = (await claim(store, job?.id ?? 0, worker, 2)).rows;
    if (!job || !lost || !gone) throw new Error('a job with two rows');
    await sleep(20);
    expect(await store.confirm(lost)).toBe(true);
    await store.settle([outcomeOf(lost, { state: 'doubt', step: 'tag', lookUpIn: job.lookupAfter })]);
    await store.unregister(worker);
    await store.beat(worker);
    const rows = await store.rows(job.id, { states: ['doubt'] });
    expect(rows.map(({ at, sentAt }) => Math.round((at ?? 0) - (sentAt ?? 0)))).toEqual([65_000, 65_000]);
    expect(rows[0]?.sentAt).toBeGreaterThan(lost.sentAt ?? 0);
  },
);

test('several steps of a lost machine are looked up in order, until one was not done', async () => {
  const looked: string[] = [];
  const sent: string[] = [];
  const step = (name: string, isDone: boolean) => ({
    name,
    async send({ name: of }: Tag, { api }: Parameters<ReturnType<typeof tagJob>['steps'][number]['send']>[1]) {
      sent.push(name);
      return (await api.crm.tags.create({ name: `${of} ${name}` })).id;
    },
    async find() {
      looked.push(name);
      return foundBy(isDone ? 7 : undefined);
    },
  });
  const job = tagJob({ steps: [step('one', true), step('two', true), step('three', false), step('four', true)] });
  const { jobs, folder } = await open(job);
  await jobs.plan(job, { options: ['a'] });
  const database = new DatabaseSync(join(folder, 'jobs.sqlite'));
  // Claimed by a worker whose log is gone.
  database.exec(`UPDATE rows SET state = 'claimed', attempt = 1, worker = 99, sent_at = 1`);
  database.close();
  await jobs.work({ until: 'tags' });
  expect(looked).toEqual(['one', 'two', 'three']);
  expect(sent).toEqual(['three', 'four']);
  expect(await jobs.status('tags')).toMatchObject({ rows: { done: 1 } });
});

test('a step of a lost machine without a search ends as unknown', async () => {
  const job = tagJob({ steps: tagJob().steps.map(({ name, send }) => ({ name, send })) });
  const { jobs, folder, sandbox } = await open(job);
  await jobs.plan(job, { options: ['a'] });
  const database = new DatabaseSync(join(folder, 'jobs.sqlite'));
  database.exec(`UPDATE rows SET state = 'claimed', attempt = 1, worker = 99, sent_at = 1`);
  database.close();
  await jobs.work({ until: 'tags' });
  expect(await problems(jobs)).toMatchObject([{ state: 'unknown', step: 'tag' }]);
  expect(created(sandbox)).toBe(0);
});

test('a lookup that does not end in its time shows nothing, and is tried again', async () => {
  let looks = 0;
  const job = tagJob({
    steps: tagJob().steps.map((step) => ({
      ...step,
      async find(_: Tag, { signal }: Parameters<typeof step.send>[1]) {
        looks += 1;
        if (looks > 1) return foundBy(7);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        signal.throwIfAborted();
        return foundBy(undefined);
      },
    })),
  });
  const { jobs, folder } = await open(job);
  await jobs.plan(job, { options: ['a'] });
  changeStore(folder, `UPDATE rows SET state = 'doubt', attempt = 1, worker = 99, sent_at = 1, at = 1`);
  await jobs.work({ until: 'tags' });
  expect(looks).toBe(2);
  expect(await jobs.status('tags')).toMatchObject({ rows: { done: 1, unknown: 0 } });
});

test.each([
  ['an answer', undefined, { done: 1, rejected: 0, unknown: 0 }, 1],
  ['a refusal', { status: 422, body: { message: 'Taken' } }, { done: 0, rejected: 1, unknown: 0 }, 1],
  ['a 429', { status: 429, body: {}, headers: { 'Retry-After': '0' } }, { done: 1, rejected: 0, unknown: 0 }, 2],
])('a row that others made unknown gets %s that comes late', async (_, fault, rows, requests) => {
  let makeUnknown = async (): Promise<void> => undefined;
  const job = tagJob({
    steps: [
      {
        name: 'tag',
        async send({ name }, { api }) {
          const response = api.crm.tags.create({ name });
          await response.then(makeUnknown, makeUnknown);
          return (await response).id;
        },
      },
    ],
  });
  const { jobs, sandbox, folder } = await open(job);
  makeUnknown = async () =>
    changeStore(folder, `UPDATE rows SET state = 'unknown', reason = 'No response came' WHERE state = 'claimed'`);
  if (fault) sandbox.faults.add({ operation: 'createTag', ...fault });
  await jobs.plan(job, { options: ['a'] });
  await jobs.work({ until: 'tags' });
  // The worker may have seen the job end before it wrote its outcome.
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows });
  expect(created(sandbox)).toBe(requests);
});
