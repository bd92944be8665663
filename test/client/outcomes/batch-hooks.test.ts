import { expect, test, vi } from 'vitest';
import { runInBatches } from '../../../src/client/index.ts';
import { serveTogether, stopOf } from './batch-run.ts';
import { clientOf, watchProcess } from './support.ts';

const items = [1, 2, 3, 4, 5];

test.each<[string, (told: number) => unknown]>([
  [
    'throws',
    () => {
      throw new Error('disk full');
    },
  ],
  ['rejects', () => Promise.reject(new Error('disk full'))],
])(
  'an onProgress that %s stops the run, which waits for calls in flight and loses no outcome',
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

test("waits for the journal hooks, one before a batch's request and one after it", async () => {
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

test('does not send a batch if onStart fails', async () => {
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

test('after a stop, still calls onEnd for batches in flight', async () => {
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

test('calls onProgress until the run stops, and not for the batches that it then omits', async () => {
  const onProgress = vi.fn(() => Promise.reject(new Error('disk full')));
  const { statuses } = await stopOf(
    runInBatches({ items: [1, 2, 3], size: 1, concurrency: 1, run: async () => 1, onProgress }),
  );
  expect(statuses).toEqual(['done', 'not-done', 'not-done']);
  expect(onProgress).toHaveBeenCalledTimes(1);
});

test('after a stop, waits for pending calls, and aborts a batch without one after the grace period', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let answer: () => void = () => undefined;
  const fetch = () =>
    new Promise<Response>((resolve) => {
      answer = () => resolve(Response.json({ data: { id: 1 } }));
    });
  const api = clientOf('https://api.example.com', { fetch });
  const signals: AbortSignal[] = [];
  const stopped = stopOf(
    runInBatches({
      items: ['ends', 'calls', 'never ends'],
      size: 1,
      run([how], { signal }): PromiseLike<unknown> {
        signals.push(signal);
        if (how === 'ends') return new Promise((resolve) => setImmediate(resolve));
        if (how === 'calls') return api.crm.boards.create({ name: 'Tasks' }, { signal, timeout: 60_000 });
        return new Promise(() => undefined);
      },
      onProgress: () => Promise.reject(new Error('disk full')),
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true]);
  answer();
  const { statuses, cause } = await stopped;
  expect(statuses).toEqual(['done', 'done', 'unknown']);
  expect(signals[2]?.reason).toBe(cause);
});
