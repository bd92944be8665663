import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { type HookRequest, type HookResponse, isCarillonError, runInBatches } from '../../src/index.ts';
import { type Fault, reply, reset, serve, status } from '../support/fault-server.ts';
import { clientOf, failureOf, watchProcess } from './support.ts';

const done = reply({ data: { id: 1 } });
const items = [1, 2, 3, 4, 5];

/** What a stopped run reports: its statuses, in order, and the reason. */
async function stopOf(run: Promise<unknown>): Promise<{ statuses: string[]; cause: unknown; outcomes: unknown[] }> {
  const error = await failureOf(run);
  if (!isCarillonError(error, 'BatchStoppedError')) throw error;
  return { statuses: error.outcomes.map(({ status }) => status), cause: error.cause, outcomes: [...error.outcomes] };
}

/** Answers each batch by its number, once all have arrived. */
async function serveTogether(count: number, answers: Record<number, Fault>) {
  const waiting: (() => void)[] = [];
  return serve((request, response) => {
    const name: unknown = JSON.parse(request.body).name;
    waiting.push(() => (answers[Number(name)] ?? done)(request, response));
    if (waiting.length === count) for (const answer of waiting) answer();
  });
}

test('batches that were processed are never not-done because another one was refused and the run was aborted', async () => {
  const controller = new AbortController();
  // The first is refused; the three others are processed, and their replies stay away.
  const { url, received } = await serveTogether(4, {
    1: status(422),
    2: () => undefined,
    3: () => undefined,
    4: () => undefined,
  });
  const api = clientOf(url);
  const run = runInBatches({
    items,
    size: 1,
    signal: controller.signal,
    run: async ([name], { signal }) => (await api.crm.boards.create({ name: String(name) }, { signal })).id,
    onProgress: ({ outcome }) => {
      if (outcome.status !== 'done') controller.abort(outcome.error);
    },
  });
  const { statuses, cause } = await stopOf(run);
  expect(statuses).toEqual(['not-done', 'unknown', 'unknown', 'unknown', 'not-done']);
  expect(cause).toMatchObject({ name: 'UnprocessableEntityError' });
  expect(received).toHaveLength(4);
});

test('the same holds if run takes the signal of the caller, or another one with the same reason', async () => {
  for (const other of [false, true]) {
    const controller = new AbortController();
    const { url } = await serveTogether(2, { 1: status(422), 2: () => undefined });
    const api = clientOf(url);
    const run = runInBatches({
      items: [1, 2],
      size: 1,
      ...(!other && { signal: controller.signal }),
      run: ([name]) => api.crm.boards.create({ name: String(name) }, { signal: controller.signal }),
      onProgress: ({ outcome }) => {
        if (outcome.status !== 'done') controller.abort(outcome.error);
      },
    });
    const outcomes = other ? (await run).map((outcome) => outcome.status) : (await stopOf(run)).statuses;
    expect(outcomes).toEqual(['not-done', 'unknown']);
  }
});

test.each<[string, Fault[], string]>([
  ['lost and then refused', [reset, status(403)], 'unknown'],
  ['answered 503 and then refused', [status(503), status(422)], 'unknown'],
  ['refused', [status(403)], 'not-done'],
])('a DELETE that was %s makes its batch the right status', async (_, faults, expected) => {
  const { url } = await serve(...faults);
  const api = clientOf(url);
  const outcomes = await runInBatches({
    items: [501],
    size: 1,
    run: ([dealId = 0], { signal }) => api.crm.deals.delete({ dealId }, { signal }),
  });
  expect(outcomes.map((outcome) => outcome.status)).toEqual([expected]);
});

test('a 500 whose retry got no token makes the batch unknown', async () => {
  const { url } = await serve(status(500));
  const given = ['token'];
  const getToken = () => given.shift() ?? Promise.reject(new Error('vault sealed'));
  const api = clientOf(url, { auth: { getToken } });
  const [outcome] = await runInBatches({
    items: [501],
    size: 1,
    run: ([dealId = 0]) => api.crm.deals.delete({ dealId }),
  });
  expect(outcome?.status).toBe('unknown');
});

test('a batch of two requests is not not-done because the second was refused, and reading counts for nothing', async () => {
  const { url } = await serve(reply({ data: [] }), done, status(422), reply({ data: [] }), status(422));
  const api = clientOf(url);
  const outcomes = await runInBatches({
    items: [2, 1],
    size: 1,
    concurrency: 1,
    async run([writes = 0], { signal }) {
      await api.crm.users.list({ signal });
      for (let write = 0; write < writes; write += 1) await api.crm.boards.create({ name: 'Tasks' }, { signal });
    },
  });
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['unknown', 'not-done']);
});

test.each([
  ['waits to be tried again', false],
  ['is still to be made', true],
])('a call that %s when its batch is refused is not sent after the outcome', async (_, isLate) => {
  const refuse = new AbortController();
  const ended = new AbortController();
  const sent: string[] = [];
  const fetch = async (_url: string, { body }: RequestInit) => {
    const { name } = JSON.parse(String(body));
    sent.push(name);
    if (name === 'second') return new Response('{}', { status: 429, headers: { 'Retry-After': '0' } });
    if (!isLate) await once(refuse.signal, 'abort');
    return new Response('{}', { status: 422 });
  };
  const onResponse = (_request: HookRequest, { status }: HookResponse) => void (status === 429 && refuse.abort());
  const api = clientOf('https://api.example.com', { fetch, middleware: [{ onResponse }] });
  let second: Promise<unknown> | undefined;
  const outcomes = await runInBatches({
    items: [1],
    size: 1,
    async run(_items, { signal }) {
      const create = (name: string) => api.crm.boards.create({ name }, { signal });
      second = isLate ? once(ended.signal, 'abort').then(() => create('second')) : create('second');
      await Promise.all([create('first'), second]);
    },
  });
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['not-done']);
  ended.abort();
  await expect(second).rejects.toThrow('422');
  expect(sent.sort()).toEqual(isLate ? ['first'] : ['first', 'second']);
});

test.each<[string, (told: number) => unknown]>([
  [
    'throws',
    () => {
      throw new Error('disk full');
    },
  ],
  ['rejects', () => Promise.reject(new Error('disk full'))],
])(
  'an onProgress that %s stops the run, which waits for what is in flight and loses no outcome',
  async (_, onProgress) => {
    const watched = watchProcess();
    const { url, received } = await serveTogether(2, {});
    const api = clientOf(url);
    const run = vi.fn(([name]: number[]) => api.crm.boards.create({ name: String(name) }));
    const { statuses, cause, outcomes } = await stopOf(
      runInBatches({ items, size: 1, concurrency: 2, run, onProgress: ({ finished }) => onProgress(finished) }),
    );
    await watched.settled();
    expect(statuses).toEqual(['done', 'done', 'not-done', 'not-done', 'not-done']);
    expect(outcomes).toMatchObject(items.map((item) => ({ items: [item] })));
    expect(cause).toMatchObject({ message: 'disk full' });
    expect([run.mock.calls.length, received.length]).toEqual([2, 2]);
    expect(watched.problems).toEqual([]);
  },
);

test('the journal hooks are waited for: one before the request of a batch, one after it', async () => {
  const journal: string[] = [];
  const later = () => new Promise((resolve) => setImmediate(resolve));
  await runInBatches({
    items: [1, 2],
    size: 1,
    concurrency: 1,
    async onStart({ index, items }) {
      await later();
      journal.push(`start ${index} [${items}]`);
    },
    run: async (_, { index }) => void journal.push(`run ${index}`),
    async onEnd({ index, status }) {
      await later();
      journal.push(`end ${index} ${status}`);
    },
    onProgress: ({ finished }) => void journal.push(`progress ${finished}`),
  });
  expect(journal).toEqual([
    ...['start 0 [1]', 'run 0', 'end 0 done', 'progress 1'],
    ...['start 1 [2]', 'run 1', 'end 1 done', 'progress 2'],
  ]);
});

test('a batch that the journal could not note before it is not sent', async () => {
  const run = vi.fn(async () => 1);
  const ended: string[] = [];
  const { statuses } = await stopOf(
    runInBatches({
      items: [1, 2, 3],
      size: 1,
      concurrency: 1,
      run,
      onStart: ({ index }) => (index === 1 ? Promise.reject(new Error('disk full')) : undefined),
      onEnd: ({ index, status }) => void ended.push(`${index} ${status}`),
    }),
  );
  expect(statuses).toEqual(['done', 'not-done', 'not-done']);
  expect(run).toHaveBeenCalledTimes(1);
  expect(ended).toEqual(['0 done']);
});

test('after a stop, the journal still notes the end of what is in flight', async () => {
  const { url } = await serveTogether(2, {});
  const api = clientOf(url);
  const ended: string[] = [];
  const { statuses } = await stopOf(
    runInBatches({
      items: [1, 2, 3],
      size: 1,
      concurrency: 2,
      run: ([name]) => api.crm.boards.create({ name: String(name) }),
      onEnd: ({ index, status }) => {
        ended.push(`${index} ${status}`);
        throw new Error('disk full');
      },
    }),
  );
  expect(statuses).toEqual(['done', 'done', 'not-done']);
  expect(ended.toSorted()).toEqual(['0 done', '1 done']);
});

test('a run that empties its items loses none of them', async () => {
  const outcomes = await runInBatches({ items, size: 2, run: async (batch) => batch.splice(0).length });
  expect(outcomes.flatMap((outcome) => outcome.items)).toEqual(items);
});

test('an abort before the first batch sends nothing, and an abort after the last one changes nothing', async () => {
  const run = vi.fn(async () => 1);
  const reason = new Error('too late');
  const stopped = await stopOf(runInBatches({ items, size: 2, run, signal: AbortSignal.abort(reason) }));
  expect(stopped).toMatchObject({ statuses: ['not-done', 'not-done', 'not-done'], cause: reason });
  expect(run).not.toHaveBeenCalled();
  const controller = new AbortController();
  expect(await runInBatches({ items, size: 5, run, signal: controller.signal })).toMatchObject([{ status: 'done' }]);
  controller.abort();
});

test('a BatchStoppedError shows no items in logs, and says how many batches ended how', async () => {
  const error = await failureOf(
    runInBatches({
      items: ['ann@example.com'],
      size: 1,
      run: async () => 1,
      signal: AbortSignal.abort(new Error('x')),
    }),
  );
  expect(JSON.stringify(error)).not.toContain('ann@example.com');
  expect(error).toMatchObject({
    name: 'BatchStoppedError',
    message: expect.stringContaining('0 done, 1 not-done, 0 unknown'),
  });
});
