import { expect, onTestFinished, test } from 'vitest';
import { defineJob, type JobDefinition, type Json, openJobs } from '../../src/jobs/index.ts';
import fc from '../fast-check.ts';
import { amounts } from '../support/amounts.ts';
import { anything } from './chaos/poison.ts';
import { temporaryFolder } from './store/stores.ts';
import { all, open, problems, type Tag, tagJob } from './tag-job.ts';

const many = amounts.poisonRows;

/** Anything that a program in JavaScript can return, whatever its types say. */
const poison = {
  name: { 'a\0b': 1 },
  surrogate: { '\ud800': '\udfff' },
  bigint: { id: 2n ** 70n },
  nested: [[{ id: 5n }]],
  nothing: undefined,
  symbol: Symbol('a'),
  function: () => 1,
  circular: (() => {
    const value: Record<string, unknown> = {};
    value.value = value;
    return value;
  })(),
  throws: {
    toJSON() {
      throw new Error('no JSON');
    },
  },
  throwsNothing: {
    get id(): never {
      throw undefined;
    },
  },
  proxy: new Proxy({}, { ownKeys: () => [1] as never }),
  deep: Array.from({ length: 5_000 }).reduce<unknown>((inner) => [inner], 1),
  large: 'x'.repeat(17_000_000),
  proto: JSON.parse('{"__proto__": {"toString": 1}}'),
  numbers: [Number.NaN, Number.POSITIVE_INFINITY, -0, 1e308, 5e-324],
};
const unstorable = ['circular', 'deep', 'large', 'proxy', 'throws', 'throwsNothing'];

/** A job that sends each row, and returns whatever the test wants. */
function returning(resultOf: (name: string) => unknown): JobDefinition<Tag, string[]> {
  const [{ send } = missing()] = tagJob().steps;
  return tagJob({
    steps: [
      {
        name: 'tag',
        async send(values, context) {
          await send(values, context);
          return resultOf(values.name) as Json;
        },
      },
    ],
  });
}

function missing(): never {
  throw new Error('no step');
}

test(`any result is stored, or becomes the problem of its row, and the next start works`, async () => {
  const job = returning((name) => Reflect.get(poison, name));
  const { jobs, sandbox } = await open(job);
  const names = Object.keys(poison);
  await jobs.plan(job, { options: names });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { planned: 0, sent: 0, rejected: 0 } });
  const unknown = await problems(jobs);
  expect(unknown.map(({ key }) => key).sort()).toEqual(unstorable);
  for (const { state, reason } of unknown) {
    expect(state).toBe('unknown');
    expect(reason).toMatch(/^The service responded, but the result cannot be stored: /);
  }
  const results = Object.fromEntries((await all(jobs.results('tags'))).map(({ key, results: { tag } }) => [key, tag]));
  expect(results).toMatchObject({
    name: { 'a\0b': 1 },
    surrogate: { '\ud800': '\udfff' },
    bigint: { id: String(2n ** 70n) },
    nested: [[{ id: '5' }]],
    nothing: null,
  });
  expect(sandbox.log.list({ operation: 'createTag' }).length).toBe(names.length);
});

test(`whatever send throws concerns only its row`, async () => {
  const thrown: Record<string, unknown> = {
    nothing: undefined,
    symbol: Symbol('a'),
    bare: Object.create(null),
    message: Object.assign(new Error('a'), { message: 5n }),
    getter: Object.defineProperty(new Error('a'), 'message', { get: () => missing() }),
    proxy: new Proxy({}, { get: () => missing(), has: () => missing(), getPrototypeOf: () => missing() }),
  };
  const [{ send } = missing()] = tagJob().steps;
  const job = tagJob({
    steps: [
      {
        name: 'tag',
        async send(values, context) {
          await send(values, context);
          if (Object.hasOwn(thrown, values.name)) throw thrown[values.name];
          return 1;
        },
      },
    ],
  });
  const { jobs } = await open(job);
  const names = [...Object.keys(thrown), 'healthy'];
  await jobs.plan(job, { options: names });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 1, unknown: names.length - 1 } });
});

test(`one row at which the definition fails is rejected, and the others are done`, { timeout: 60_000 }, async () => {
  const [step = missing()] = tagJob().steps;
  const failing = (name: string): void => {
    if (name === 'bad') throw new TypeError('names of undefined');
  };
  const applies = tagJob({
    steps: [
      {
        ...step,
        applies({ name }) {
          failing(name);
          return true;
        },
      },
    ],
  });
  const { jobs } = await open(applies);
  await jobs.plan(applies, { options: ['one', 'bad', 'two'] });
  await jobs.work({ until: 'tags' });
  expect(await jobs.status('tags')).toMatchObject({ state: 'finished', rows: { done: 2, rejected: 1 } });
  expect(await problems(jobs)).toMatchObject([
    { key: 'bad', reason: 'The program failed on this row 5 times: names of undefined' },
  ]);
});

test(`any row is planned, or invalid with its problem`, async () => {
  const values: Record<string, unknown> = { ...poison, healthy: { name: 'healthy' } };
  const rows = [
    ...Object.entries(values).map(([key, each], index) => ({ key, line: index + 1, values: each })),
    { key: 'k'.repeat(2_000), line: 51, values: {} },
    { key: 'nul\0', line: 52, values: {} },
    { key: 'half\ud800', line: 53, values: {} },
    { key: 'problem', line: 54, values: {}, problem: 'a\0\ud800' },
  ];
  const job = defineJob<unknown>({
    name: 'rows',
    version: 1,
    source: () => ({ checksum: async () => '1', rows: () => rows }),
    steps: [{ name: 'nothing', send: async () => null }],
  });
  const jobs = await openJobs({
    definitions: [job],
    client: { baseUrl: 'http://127.0.0.1:1', auth: null },
    folder: temporaryFolder(),
  });
  onTestFinished(() => jobs.close());
  expect(await jobs.plan(job, { options: {} })).toMatchObject({ total: rows.length });
  await jobs.work({ until: 'rows' });
  const found = await all(jobs.problems('rows'));
  expect(found.map(({ key }) => key).sort()).toEqual([...unstorable, 'problem'].sort());
  expect(await jobs.status('rows')).toMatchObject({
    state: 'finished',
    rows: { done: rows.length - found.length, invalid: found.length },
  });
});

test(`random rows and results never stop a job, also over several starts`, { timeout: 600_000 }, async () => {
  const samples = fc.sample(anything, many);
  const job = defineJob<{ sample: unknown }>({
    name: 'tags',
    version: 1,
    source: () => ({
      checksum: async () => '1',
      rows: () => samples.map((sample, index) => ({ key: `${index}`, line: index + 1, values: { sample } })),
    }),
    steps: [
      {
        name: 'tag',
        repeatable: true,
        async send(_, { api, key, signal }) {
          await api.crm.tags.create({ name: key }, { signal });
          return samples[Number(key)] as Json;
        },
      },
    ],
  });
  const folder = temporaryFolder();
  const { jobs, sandbox } = await open(job as never, { folder });
  await jobs.plan(job, { options: {} });
  for (const part of [0.3, 0.6]) {
    const stop = new AbortController();
    const timer = setInterval(() => {
      if (sandbox.log.list({ operation: 'createTag' }).length > part * many) stop.abort();
    }, 5);
    await jobs.work({ until: 'tags', signal: stop.signal });
    clearInterval(timer);
  }
  await jobs.work({ until: 'tags' });
  const { state, rows } = await jobs.status('tags');
  expect({ state, planned: rows.planned, sent: rows.sent }).toEqual({ state: 'finished', planned: 0, sent: 0 });
  expect(rows.done + rows.rejected + rows.invalid + rows.unknown).toBe(many);
  expect(rows.done).toBeGreaterThan(many / 2);
});
