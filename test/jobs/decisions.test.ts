import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type ApiError,
  ArgumentError,
  apiErrorClass,
  ConnectionError,
  RateLimitError,
} from '../../src/client/index.ts';
import { defineJob, JobsError, RowRefusedError } from '../../src/jobs/index.ts';
import type { JobLimits } from '../../src/jobs/journal/active-jobs.ts';
import { refuseTransactionPooler } from '../../src/jobs/journal/pooler.ts';
import { differenceOf } from '../../src/jobs/plan/fingerprint.ts';
import { explain, isPassing } from '../../src/jobs/store/explain.ts';
import { toJsonb, toStorable, UnstorableError } from '../../src/jobs/store/storable.ts';
import { concernsAll } from '../../src/jobs/work/attempt.ts';
import { createBatcher } from '../../src/jobs/work/batcher.ts';
import { canLookUpLater, judge, stopReason } from '../../src/jobs/work/classify-error.ts';
import { type ActiveJob, Scheduler } from '../../src/jobs/work/scheduler.ts';
import { markerOf, nextStep } from '../../src/jobs/work/steps.ts';

const operationId = 'createContact';

function failure(status: number, sent: 'yes' | 'no' | 'maybe' = 'yes', headers = {}): ApiError {
  const details = {
    status,
    operationId,
    body: null,
    headers: new Headers(headers),
    code: '7',
    serviceMessage: 'No such user',
  };
  return Object.assign(new (apiErrorClass(status))('refused', details), { sent });
}

test.each<[string, unknown, string | undefined, string]>([
  ['a 422 to the request that wrote', failure(422), operationId, 'refused'],
  ['a 422 to another request after the one that wrote', failure(422), 'assignTag', 'lost'],
  ['a 422 after a try that may have been processed', failure(422, 'maybe'), operationId, 'lost'],
  ['a 500', failure(500), operationId, 'lost'],
  ['a 408', failure(408), operationId, 'lost'],
  ['a lost connection', Object.assign(new ConnectionError('lost', 'maybe'), { operationId }), operationId, 'lost'],
  ['a refused connection', Object.assign(new ConnectionError('refused', 'no'), { operationId }), operationId, 'later'],
  ['a 429', failure(429, 'no'), operationId, 'wait'],
  ['a 401', failure(401), operationId, 'stop'],
  ['a 403', failure(403), operationId, 'stop'],
  ['an error of the program after the request that wrote', new TypeError('id of undefined'), operationId, 'lost'],
  ['an error of the program before any request that writes', new TypeError('id of undefined'), undefined, 'own'],
  ['a row that the program refuses', new RowRefusedError('no such pipeline'), undefined, 'refused'],
  ['a 404 to a request that reads', failure(404), undefined, 'refused'],
  ['a 503 to a request that reads', failure(503), undefined, 'later'],
  ['a value that the client refused', new ArgumentError('price is NaN', { parameter: 'price' }), undefined, 'refused'],
  ['an option that does not exist', new ArgumentError('there is no option timeuot'), undefined, 'own'],
])('%s: gives the safe verdict on the row', (_, error, writeOperation, kind) => {
  expect(judge(error, writeOperation === undefined ? {} : { writeOperation }).kind).toBe(kind);
});

test('a pause after a 401 or 403 says to check the key or its rights', () => {
  const advice = 'check it, start the workers with the right one, and resume the job.';
  expect(judge(failure(401), { writeOperation: operationId })).toEqual({
    kind: 'stop',
    reason: `refused. The service does not accept the key: ${advice}`,
  });
  expect(stopReason(failure(403))).toBe(
    'refused. The key may not do this: check its rights at the service, and resume the job.',
  );
  expect(stopReason(failure(500))).toBe('refused');
});

test("a refused row has the service's reason and code, and a 429 has its wait", () => {
  expect(judge(failure(422), { writeOperation: operationId })).toEqual({
    kind: 'refused',
    reason: 'No such user',
    code: '7',
  });
  const busy = failure(429, 'no', { 'retry-after': '7' });
  expect(busy).toBeInstanceOf(RateLimitError);
  expect(judge(busy, { writeOperation: operationId })).toEqual({ kind: 'wait', milliseconds: 7_000 });
});

test('a deadline that passes before a request is sent refuses no row, and an error code for all rows stops the job', () => {
  expect(judge(new DOMException('The deadline has passed', 'TimeoutError'), { isOver: true })).toEqual({
    kind: 'later',
    all: false,
  });
  const concerns = vi.fn(() => true);
  expect(judge(failure(422), { writeOperation: operationId }, concerns)).toMatchObject({ kind: 'stop' });
  expect(concerns).toHaveBeenCalledWith(operationId, '7');
});

test('repeats a lookup only after a failure of the service or connection', () => {
  const errors = [failure(503), new ConnectionError('lost', 'maybe'), failure(422), new TypeError('bug')];
  expect(errors.map(canLookUpLater)).toEqual([true, true, false, false]);
});

test('a marker is a UUID derived only from job, row and step', () => {
  const seed = '8b0b4c1e-0000-4000-8000-000000000000';
  const marker = markerOf(seed, 'c-1', 'contact');
  expect(marker).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(markerOf(seed, 'c-1', 'contact')).toBe(marker);
  const others = [markerOf(seed, 'c-2', 'contact'), markerOf(seed, 'c-1', 'phone'), markerOf(seed, 'c', '-1contact')];
  expect(new Set([marker, ...others]).size).toBe(4);
});

test('the next step is the first applicable one without a result, and a step with `each` counts once per item', () => {
  const send = async () => null;
  const definition = {
    steps: [
      { name: 'contact', send },
      { name: 'phone', send, each: (values: unknown) => (Array.isArray(values) ? values : []) },
      { name: 'note', send, applies: () => false },
    ],
  };
  const values = ['1', '2'];
  expect(nextStep(definition, values, {})?.name).toBe('contact');
  expect(nextStep(definition, values, { contact: 7, 'phone 1': null })).toMatchObject({ name: 'phone 2', index: 1 });
  expect(nextStep(definition, values, { contact: 7, 'phone 1': null, 'phone 2': null })).toBeUndefined();
});

test('a definition with another version or other steps differs from the planned one', () => {
  const planned = { definition: 'contacts', version: 1, steps: ['contact'] };
  expect(differenceOf(planned, { ...planned })).toBeUndefined();
  expect(differenceOf(planned, { ...planned, version: 2 })).toContain('contacts, version 2 (contact)');
  expect(differenceOf(planned, { ...planned, steps: ['contact', 'tag'] })).toContain('(contact, tag)');
});

test.each([
  ['name', { name: 'my job' }],
  ['version', { version: 0 }],
  ['steps', { steps: [] }],
  ['rate', { rate: 0 }],
  ['deadline', { deadline: -1 }],
  ['deadline', { deadline: 9_999 }],
])('rejects a definition with an invalid %s', (word, wrong) => {
  const step = { name: 'a', send: async () => null };
  const definition = {
    name: 'job',
    version: 1,
    source: () => ({ checksum: async () => '', rows: () => [] }),
    steps: [step],
  };
  expect(() => defineJob({ ...definition, ...wrong })).toThrow(JobsError);
  expect(() => defineJob({ ...definition, ...wrong })).toThrow(word === 'name' ? 'is not a name' : word);
});

test.each<[string, number[][], boolean]>([
  ['a session each', [[1, 1, 1], [2]], true],
  ['both get the same session', [[1, 1, 1], [1]], false],
  ['the first gets another session while the second holds one', [[1, 3, 1], [2]], false],
  ['the first gets another session afterwards', [[1, 1, 2], [2]], false],
])('detects a pooler in transaction mode: %s', async (_, [first = [], second = []], isFine) => {
  const answers = (pids: number[]) => ({
    query: async (text: string) => ({ rows: text.startsWith('SELECT') ? [{ pid: pids.shift() }] : [] }),
  });
  const check = refuseTransactionPooler(answers(first), answers(second));
  await (isFine ? expect(check).resolves.toBeUndefined() : expect(check).rejects.toThrow('pooler in transaction mode'));
});

test.each([
  ['53100', 'could not extend file', 'The disk of the database is full', true],
  ['28P01', 'password failed', 'The database refused the password', true],
  ['3D000', 'no database', 'The database does not exist', true],
  ['42501', 'permission denied', 'The user may not use or create the tables', false],
  ['XX000', 'unexpected', 'The database failed', true],
  ['ERR_INVALID_ARG_TYPE', 'a mistake', 'The database failed', false],
  ['42703', 'no column', 'other columns than this version expects', false],
  ['57P01', 'terminating connection', 'The database cannot be reached', true],
  ['ECONNREFUSED', 'connect ECONNREFUSED', 'The database cannot be reached', true],
])('explains database error %s in a sentence', (code, message, sentence, waits) => {
  const error = Object.assign(new Error(message), { code });
  expect(explain(error)).toBeInstanceOf(JobsError);
  expect(explain(error).message).toContain(sentence);
  expect(isPassing(error)).toBe(waits);
});

test('items that arrive during a statement share the next one, and an error affects only its own batch', async () => {
  const batches: number[][] = [];
  const add = createBatcher(async (items: readonly number[]) => {
    batches.push([...items]);
    if (items.includes(9)) throw new Error('nine');
    return items.map((item) => item * 2);
  });
  const first = add(1);
  await new Promise(setImmediate);
  expect(await Promise.all([first, add(2), add(3)])).toEqual([2, 4, 6]);
  await expect(add(9)).rejects.toThrow('nine');
  expect(await add(4)).toBe(8);
  expect(batches).toEqual([[1], [2, 3], [9], [4]]);
});

test('items of one turn of the event loop share a statement', async () => {
  const batches: number[][] = [];
  const add = createBatcher(async (items: readonly number[]) => {
    batches.push([...items]);
    return items;
  });
  const first = add(1);
  await Promise.resolve();
  await Promise.all([first, add(2)]);
  expect(batches).toEqual([[1, 2]]);
});

/** Starts tasks that end when told, and notes their order. */
function startTasks(scheduler: Scheduler) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (job: ActiveJob, name: string, isSending = true): void => {
    void scheduler.run(job, { isSending }, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, add, end };
}

const limitsOf = (changes: Partial<JobLimits> = {}): JobLimits => ({
  priority: 0,
  concurrency: null,
  rate: null,
  ...changes,
});

test('the rows of a job take the places of a worker in order, up to their number', async () => {
  const scheduler = new Scheduler(
    1,
    async () => 0,
    () => undefined,
  );
  const job = scheduler.update('1', limitsOf());
  const { started, add, end } = startTasks(scheduler);
  for (const name of ['a', 'b', 'c']) add(job, name);
  expect(started).toEqual(['a']);
  await end('a');
  expect(started).toEqual(['a', 'b']);
});

test('jobs of a higher priority go first, those of the same priority share the places, and lookups go before other rows of their job', async () => {
  const scheduler = new Scheduler(
    2,
    async () => 0,
    () => undefined,
  );
  const [one, two, high] = [limitsOf(), limitsOf(), limitsOf({ priority: 1 })].map((limits, index) =>
    scheduler.update(`${index}`, limits),
  );
  const { started, add, end } = startTasks(scheduler);
  if (!one || !two || !high) throw new Error('no job');
  for (const name of ['a1', 'a2', 'a3']) add(one, name);
  add(two, 'b1');
  add(high, 'c1');
  add(one, 'lookup', false);
  expect(started).toEqual(['a1', 'a2']);
  await end('a1');
  await end('a2');
  expect(started).toEqual(['a1', 'a2', 'c1', 'lookup']);
  await end('lookup');
  await end('c1');
  expect(started.slice(4).toSorted()).toEqual(['a3', 'b1']);
});

test('a job that waits takes no place, and starts one row after its wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const scheduler = new Scheduler(
    4,
    async () => 0,
    () => undefined,
  );
  const job = scheduler.update('1', limitsOf());
  const { started, add, end } = startTasks(scheduler);
  scheduler.rest(job, 1_000);
  for (const name of ['a', 'b', 'c']) add(job, name);
  add(scheduler.update('2', limitsOf()), 'other');
  expect(started).toEqual(['other']);
  vi.advanceTimersByTime(1_010);
  expect(started).toEqual(['other', 'a']);
  await end('a');
  expect(started).toEqual(['other', 'a', 'b', 'c']);
});

test('rows of a job that waits for long are dropped, so that other workers can take them', async () => {
  const scheduler = new Scheduler(
    1,
    async () => 0,
    () => undefined,
  );
  const job = scheduler.update('1', limitsOf());
  scheduler.rest(job, 1_000);
  const dropped = scheduler.run(job, { isSending: true }, async () => 'sent');
  scheduler.rest(job, 60_000);
  expect(await dropped).toBeUndefined();
  expect(await scheduler.run(job, { isSending: true }, async () => 'sent')).toBeUndefined();
  scheduler.stop();
});

test('a worker starts at most as many rows of a job as its limit of rows in flight', async () => {
  const scheduler = new Scheduler(
    9,
    async () => 0,
    () => undefined,
  );
  const job = scheduler.update('1', limitsOf({ concurrency: 2 }));
  const { started, add, end } = startTasks(scheduler);
  for (const name of ['a', 'b', 'c']) add(job, name);
  expect(started).toEqual(['a', 'b']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);
});

test('turns at a rate that came late do not bring the next one nearer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const scheduler = new Scheduler(
    1,
    async () => 0,
    () => undefined,
  );
  const [slow, other] = [limitsOf({ rate: 1 }), limitsOf()].map((limits, index) =>
    scheduler.update(`${index}`, limits),
  );
  if (!slow || !other) throw new Error('no job');
  const { started, add, end } = startTasks(scheduler);
  for (const name of ['a', 'b']) add(slow, name);
  await vi.advanceTimersByTimeAsync(1);
  expect(started).toEqual(['a']);
  await end('a');
  await vi.advanceTimersByTimeAsync(900);
  expect(started).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(100);
  expect(started).toEqual(['a', 'b']);
});

test('replaces characters that jsonb rejects', () => {
  expect(toJsonb({ a: 'x\0y\ud800z', b: '😀' })).toBe('{"a":"x\ufffdy\ufffdz","b":"😀"}');
});

test('a result with a text of ten million characters is stored, and one that is too deep is refused', () => {
  const long = { text: `${'x'.repeat(10_000_000)}\\"[{` };
  expect(toStorable(long)).toEqual(long);
  const deep: unknown = JSON.parse(`${'['.repeat(1_001)}${']'.repeat(1_001)}`);
  expect(() => toStorable(deep)).toThrow(UnstorableError);
});

test('template error codes concern all parts of a campaign; codes of values, only their own part', () => {
  expect(['3084', '3087', '3088', '1'].map((code) => concernsAll('createCampaign', code))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
