import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { isRetryable } from '../../../src/jobs/store/explain.ts';
import type { RowOutcome, Store } from '../../../src/jobs/store/store.ts';
import type { FolderMemory } from '../../../src/jobs/work/folder-memory.ts';
import { WorkerResources } from '../../../src/jobs/work/worker-resources.ts';
import { temporaryFolder } from '../store/stores.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Opens a worker's resources with a store in which a test ends each batch. */
async function openResources() {
  const batches: { numbers: number[]; end: () => void }[] = [];
  const store: Partial<Store> = {
    place: async () => 'here',
    register: async () => undefined,
    unregister: async () => undefined,
    settle: (outcomes) =>
      new Promise((resolve) => batches.push({ numbers: outcomes.map(({ number }) => number), end: resolve })),
  };
  const raised: [string, number][] = [];
  const memory: Partial<FolderMemory> = {
    raise: async (seed, marks) => void raised.push([seed, marks]),
  };
  const resources = await WorkerResources.open(
    {
      store: store as Store,
      memory: memory as FolderMemory,
      folder: temporaryFolder(),
      options: { client: { baseUrl: 'http://127.0.0.1:4012', auth: null }, logger: { warn: vi.fn() } },
      queues: [],
    },
    { onAway: vi.fn(), onFailure: vi.fn(), onSettled: vi.fn() },
  );
  onTestFinished(() => resources.close());
  const settle = (number: number, options: { isUrgent?: boolean } = {}): void => {
    const outcome: RowOutcome = { job: 1, number, attempt: 1, worker: resources.worker, state: 'done' };
    resources.settle(outcome, options);
  };
  return { resources, store, raised, batches, settle };
}

test('outcomes that arrive while others are being settled wait for the next batch', async () => {
  const { resources, batches, settle } = await openResources();
  settle(1);
  settle(2);
  await vi.advanceTimersByTimeAsync(100);
  for (const number of [3, 4, 5]) settle(number);
  batches[0]?.end();
  await vi.advanceTimersByTimeAsync(50);
  settle(6);
  expect(batches.map(({ numbers }) => numbers)).toEqual([[1, 2]]);
  await vi.advanceTimersByTimeAsync(50);
  expect(batches.map(({ numbers }) => numbers)).toEqual([
    [1, 2],
    [3, 4, 5, 6],
  ]);
  batches[1]?.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(resources.isSettled).toBe(true);
});

test('a flush resolves when the outcomes that arrived during an earlier batch are settled, too', async () => {
  const { resources, batches, settle } = await openResources();
  settle(1, { isUrgent: true });
  settle(2);
  const flushed = resources.flush();
  batches[0]?.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(batches.map(({ numbers }) => numbers)).toEqual([[1], [2]]);
  batches[1]?.end();
  await flushed;
  expect(resources.isSettled).toBe(true);
});

test('a worker that must register again waits for a database that is away', async () => {
  const { resources, store } = await openResources();
  store.beat = async () => false;
  store.register = async () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
  const error = await resources.beat().catch((thrown: unknown) => thrown);
  expect(isRetryable(error)).toBe(true);
});

test('a heartbeat keeps the marks of a claim in the folder, even if the database is away', async () => {
  const { resources, store, raised } = await openResources();
  resources.see('seed', 3);
  store.place = async () => {
    throw new Error('away');
  };
  await resources.beat().catch(() => undefined);
  await resources.beat().catch(() => undefined);
  expect(raised).toEqual([['seed', 3]]);
});
