import { expect, test, vi } from 'vitest';
import { runInBatches } from '../../../src/client/core/batches.ts';
import { isCarillonError } from '../../../src/client/core/errors/is-carillon-error.ts';

const items = Array.from({ length: 25 }, (_, index) => index);

test('puts every item in exactly one outcome, in order, with at most size items per batch', async () => {
  const outcomes = await runInBatches({ items, size: 10, run: async (batch) => batch.length });
  expect(outcomes.map((outcome) => outcome.status === 'done' && outcome.result)).toEqual([10, 10, 5]);
  expect(outcomes.flatMap((outcome) => outcome.items)).toEqual(items);
});

test('sends no request without items', async () => {
  const run = vi.fn();
  expect(await runInBatches({ items: [], size: 10, run })).toEqual([]);
  // Nothing was stopped.
  expect(await runInBatches({ items: [], size: 10, run, signal: AbortSignal.abort() })).toEqual([]);
  expect(run).not.toHaveBeenCalled();
});

test('runs all batches at once if concurrency exceeds their number', async () => {
  const run = async (items: number[]) => items;
  const outcomes = await runInBatches({ items: [1, 2], size: 1, concurrency: Number.MAX_SAFE_INTEGER, run });
  expect(outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
});

test('runs at most concurrency batches at once, and keeps the order of items', async () => {
  const waiting: (() => void)[] = [];
  let most = 0;
  const all = runInBatches({
    items,
    size: 1,
    concurrency: 3,
    run: (batch) =>
      new Promise<number>((resolve) => {
        waiting.push(() => resolve(batch[0] ?? -1));
        most = Math.max(most, waiting.length);
      }),
  });
  for (let ended = 0; ended < items.length; ended += 1) {
    await vi.waitUntil(() => waiting.length > 0, { interval: 1 });
    waiting.pop()?.();
    await Promise.resolve();
  }
  expect((await all).map((outcome) => outcome.status === 'done' && outcome.result)).toEqual(items);
  expect(most).toBe(3);
});

test('a failed batch does not fail others, and its outcome has its items and error', async () => {
  const error = new Error('x');
  const outcomes = await runInBatches({
    items,
    size: 10,
    run: async (batch, { index }) => {
      if (index === 1) throw error;
      return batch;
    },
  });
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['done', 'unknown', 'done']);
  expect(outcomes[1]).toMatchObject({ error, items: items.slice(10, 20) });
});

test('after an abort, starts no further batch and marks the rest not-done', async () => {
  const controller = new AbortController();
  const run = vi.fn(async () => controller.abort(new Error('stop')));
  const stopped = runInBatches({ items, size: 10, concurrency: 1, signal: controller.signal, run });
  const error: unknown = await stopped.catch((reason: unknown) => reason);
  if (!isCarillonError(error, 'BatchStoppedError')) throw error;
  expect(error.cause).toBe(controller.signal.reason);
  expect(error.outcomes.map((outcome) => outcome.status)).toEqual(['done', 'not-done', 'not-done']);
  expect(run).toHaveBeenCalledTimes(1);
});

test('an abort does not abort the signal of a batch that has ended', async () => {
  const controller = new AbortController();
  const signals: AbortSignal[] = [];
  const stopped = runInBatches({
    items: [1, 2],
    size: 1,
    concurrency: 1,
    signal: controller.signal,
    async run(_, { signal, index }) {
      signals.push(signal);
      if (index === 1) controller.abort(new Error('stop'));
    },
  });
  await expect(stopped).rejects.toMatchObject({ name: 'BatchStoppedError' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});

test('reports progress after each batch', async () => {
  const seen: string[] = [];
  await runInBatches({
    items,
    size: 10,
    run: async () => undefined,
    onProgress: ({ finished, total, outcome }) => seen.push(`${finished}/${total} ${outcome.status}`),
  });
  expect(seen).toEqual(['1/3 done', '2/3 done', '3/3 done']);
});

test('refuses items that are no list before it sends a request', async () => {
  const run = vi.fn();
  for (const items of ['ann@example.com', new Set([1]), undefined] as never[]) {
    const failure = { name: 'RangeError', message: 'items must be a list' };
    await expect(runInBatches({ items, size: 1, run })).rejects.toMatchObject(failure);
  }
  expect(run).not.toHaveBeenCalled();
});

test.each([0, -1, 1.5, Number.NaN])('refuses a size of %d before it sends a request', async (size) => {
  const run = vi.fn();
  await expect(runInBatches({ items, size, run })).rejects.toThrow(/size must be a whole number above 0/);
  await expect(runInBatches({ items, size: 1, concurrency: size, run })).rejects.toThrow(/concurrency/);
  expect(run).not.toHaveBeenCalled();
});
