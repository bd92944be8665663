import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { type HookAttempt, type HookResponse, runInBatches } from '../../../src/client/index.ts';
import { type Fault, reset, serve, status } from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import { serveTogether, stopOf } from './batch-run.ts';
import { clientOf, failureOf } from './support.ts';

const items = [1, 2, 3, 4, 5];

test('never marks processed batches not-done after another was refused and the run aborted', async () => {
  const controller = new AbortController();
  // The first is refused. The other three are processed without a reply.
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
  expect(statuses).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'not-done']);
  expect(cause).toMatchObject({ name: 'UnprocessableEntityError' });
  expect(received).toHaveLength(4);
});

test("also if run uses the caller's signal, or another one with the same reason", async () => {
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
    expect(outcomes).toEqual(['unknown', 'unknown']);
  }
});

test.each<[string, Fault[]]>([
  ['lost and then refused', [reset, status(403)]],
  ['answered 503 and then refused', [status(503), status(422)]],
  ['refused', [status(403)]],
])('a DELETE that was %s makes its batch unknown', async (_, faults) => {
  const { url } = await serve(...faults);
  const api = clientOf(url);
  const outcomes = await runInBatches({
    items: [501],
    size: 1,
    run: ([dealId = 0], { signal }) => api.crm.deals.delete({ dealId }, { signal }),
  });
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['unknown']);
});

test('a read that was sent and failed makes its batch unknown, because its run may have done other things', async () => {
  const { url } = await serve(status(503));
  const api = clientOf(url, { maxRetries: 0 });
  const [outcome] = await runInBatches({ items: [501], size: 1, run: ([dealId = 0]) => api.crm.deals.get({ dealId }) });
  expect(outcome).toMatchObject({ status: 'unknown', error: { name: 'ServerError' } });
});

test('undefined as the error of a batch is not taken for an abort', async () => {
  const api = clientOf(refusedUrl, { maxRetries: 0 });
  const [outcome] = await runInBatches({
    items: [501],
    size: 1,
    async run([dealId = 0]) {
      await failureOf(api.crm.deals.delete({ dealId }));
      throw undefined;
    },
  });
  expect(outcome).toEqual({ index: 0, items: [501], status: 'unknown', error: undefined });
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

test.each([
  ['waits to be tried again', false],
  ['is still to be made', true],
])('does not send a call that %s when its batch is refused', async (_, isLate) => {
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
  const onResponse = (_request: HookAttempt, { status }: HookResponse) => void (status === 429 && refuse.abort());
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
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['unknown']);
  ended.abort();
  await expect(second).rejects.toThrow('422');
  expect(sent.sort()).toEqual(isLate ? ['first'] : ['first', 'second']);
});

test('keeps all items if run empties its list', async () => {
  const outcomes = await runInBatches({ items, size: 2, run: async (batch) => batch.splice(0).length });
  expect(outcomes.flatMap((outcome) => outcome.items)).toEqual(items);
});

test('an abort before the first batch sends no request, and after the last one changes nothing', async () => {
  const run = vi.fn(async () => 1);
  const reason = new Error('too late');
  const stopped = await stopOf(runInBatches({ items, size: 2, run, signal: AbortSignal.abort(reason) }));
  expect(stopped).toMatchObject({ statuses: ['not-done', 'not-done', 'not-done'], cause: reason });
  expect(run).not.toHaveBeenCalled();
  const controller = new AbortController();
  expect(await runInBatches({ items, size: 5, run, signal: controller.signal })).toMatchObject([{ status: 'done' }]);
  controller.abort();
});

test('a BatchStoppedError hides items in logs, and counts the batches per status', async () => {
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
