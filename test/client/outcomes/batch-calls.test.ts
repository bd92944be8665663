import { expect, onTestFinished, test, vi } from 'vitest';
import { ConfigError, ConnectionError, createClient, runInBatches } from '../../../src/client/index.ts';
import { reply, serve, stall, status } from '../../support/fault-server.ts';
import { done, stopOf, withoutContext } from './batch-run.ts';
import { countTimers, watchTimers } from './model/timers.ts';
import { clientOf, failureOf } from './support.ts';

type Run = (options: { signal: AbortSignal; index: number }) => PromiseLike<unknown>;

/** Returns the statuses of batches of one item. */
async function statusesOf(run: Run, batches = 1): Promise<string[]> {
  const outcomes = await runInBatches({
    items: Array.from({ length: batches }),
    size: 1,
    concurrency: 1,
    run: (_items, options) => run(options),
  });
  return outcomes.map((outcome) => outcome.status);
}

/** A client whose connections are refused, except to create a board named `sent`, or also to read. */
function refusingClient(answersReads = false) {
  const fetch = async (url: string, { method, body }: RequestInit) => {
    const page = { list: [], total: 0 };
    if (answersReads && (method === 'GET' || url.endsWith('/get-list'))) return Response.json({ data: page });
    if (String(body).includes('sent')) return Response.json({ data: { id: 1 } });
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
  };
  return createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'k3y-value' },
    fetch,
    trustConnectErrors: true,
    maxRetries: 0,
  });
}

const { boards } = refusingClient().crm;
const refused = (signal?: AbortSignal) => boards.create({ name: 'refused' }, signal && { signal });
const sent = (signal?: AbortSignal) => boards.create({ name: 'sent' }, signal && { signal });
const caught = (call: PromiseLike<unknown>) => failureOf(call);

const refusals: [string, Run, string][] = [
  ['one call that was not sent', ({ signal }) => refused(signal), 'not-done'],
  [
    'a reading that succeeded, and a call that was not sent',
    async ({ signal }) => {
      await refusingClient(true).crm.users.list({ signal });
      await refused(signal);
    },
    'not-done',
  ],
  [
    'a reading POST that succeeded, and a call that was not sent',
    async ({ signal }) => {
      await refusingClient(true).crm.contacts.list({}, { signal });
      await refused(signal);
    },
    'not-done',
  ],
  [
    'a call that was sent before one that was not',
    async ({ signal }) => {
      await sent(signal);
      await refused(signal);
    },
    'unknown',
  ],
  [
    'a call that was sent after one that was not, whose error was kept',
    async ({ signal }) => {
      const error = await caught(refused(signal));
      await sent(signal);
      throw error;
    },
    'unknown',
  ],
  [
    'a call still under way',
    ({ signal }) => Promise.race([refused(signal), sent(signal).then(() => stalled)]),
    'unknown',
  ],
  ['an error of the program', () => Promise.reject(new Error('x')), 'unknown'],
  ['an error of the client that no call had', () => Promise.reject(new ConnectionError('x', 'no')), 'unknown'],
  ['an error of the client without sent', () => Promise.reject(new ConfigError('x')), 'unknown'],
  [
    'no error at all, after a call that succeeded',
    ({ signal }) => sent(signal).then(() => Promise.reject()),
    'unknown',
  ],
  [
    'an error that wraps that of a call',
    ({ signal }) => refused(signal).catch((cause: unknown) => Promise.reject(new Error('x', { cause }))),
    'unknown',
  ],
];
const stalled = new Promise<never>(() => undefined);

test.each(refusals)('the status of a batch with %s', async (_, run, expected) => {
  expect(await statusesOf(run)).toEqual([expected]);
});

test.each(refusals)('without AsyncLocalStorage, the status of a batch with %s', async (_, run, expected) => {
  withoutContext();
  expect(await statusesOf(run)).toEqual([expected]);
});

test.each<[string, Run, string]>([
  ['an argument that cannot be sent', () => boards.create({ name: () => 1 } as never), 'not-done'],
  ['no signal', () => refused(), 'not-done'],
  ['no signal, after one that was sent', () => sent().then(() => refused()), 'unknown'],
  ['a derived signal', ({ signal }) => refused(AbortSignal.any([signal])), 'not-done'],
  [
    'a derived signal, after one that was sent',
    ({ signal }) => sent(AbortSignal.any([signal])).then(() => refused(signal)),
    'unknown',
  ],
])('the context ties calls with %s to their batch', async (_, run, expected) => {
  expect(await statusesOf(run)).toEqual([expected]);
});

test.each<[string, Run]>([
  ['no signal', () => refused()],
  ['no signal, after one that was sent', () => sent().then(() => refused())],
  ['its own signal, after one without that was sent', ({ signal }) => sent().then(() => refused(signal))],
  [
    'its own signal, after one with a derived signal that was sent',
    ({ signal }) => sent(AbortSignal.any([signal])).then(() => refused(signal)),
  ],
])('without AsyncLocalStorage, a batch whose call has %s is unknown', async (_, run) => {
  withoutContext();
  expect(await statusesOf(run)).toEqual(['unknown']);
});

test('without AsyncLocalStorage, calls of other batches of the run do not count', async () => {
  withoutContext();
  const outcomes = await runInBatches({
    items: ['sent', 'refused', 'sent', 'refused'],
    size: 1,
    run: ([name = ''], { signal }) => boards.create({ name }, { signal }),
  });
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['done', 'not-done', 'done', 'not-done']);
});

/** A batch that runs its own batches and fails after them. */
const nested =
  (name: string): Run =>
  async ({ signal }) => {
    await runInBatches({
      items: [name],
      size: 1,
      signal,
      run: ([name = ''], { signal }) => boards.create({ name }, { signal }),
    });
    await refused(signal);
  };

test.each([false, true])(
  'the calls of nested runs also belong to the outer batch (without context: %s)',
  async (bare) => {
    if (bare) withoutContext();
    expect(await statusesOf(nested('sent'))).toEqual(['unknown']);
    expect(await statusesOf(nested('refused'))).toEqual(['not-done']);
  },
);

test('the calls of a nested run without the signal belong to the outer batch, too', async () => {
  const run: Run = async () => {
    await runInBatches({ items: ['sent'], size: 1, run: ([name = '']) => boards.create({ name }) });
    await refused();
  };
  expect(await statusesOf(run)).toEqual(['unknown']);
  withoutContext();
  expect(await statusesOf(run)).toEqual(['unknown']);
});

test('calls outside the batches do not count if there is a context', async () => {
  const beside = sent();
  const run: Run = async ({ signal }) => {
    await beside;
    await refused(signal);
  };
  expect(await statusesOf(run)).toEqual(['not-done']);
});

test.each([401, 422, 429])(
  'a batch whose call was answered with %d is unknown, and its error gives the status',
  async (code) => {
    const { url } = await serve(status(code, { 'Retry-After': '120' }));
    const [outcome] = await runInBatches({
      items: [1],
      size: 1,
      run: (_, { signal }) => clientOf(url).crm.boards.create({ name: 'Tasks' }, { signal }),
    });
    expect(outcome).toMatchObject({ status: 'unknown', error: { status: code, sent: 'yes' } });
  },
);

test('recognizes a call by path by the error that it returns', async () => {
  const { url } = await serve(reply({}, 422));
  const path = { dealId: () => 7 } as never;
  const outcomes = await runInBatches({
    items: ['answered', 'refused here'],
    size: 1,
    async run([how]) {
      const api = clientOf(url);
      const made =
        how === 'answered'
          ? await api.crm.POST('/boards', { body: { name: 'Tasks' } })
          : await api.crm.DELETE('/deals/{dealId}', { params: { path } });
      if (made.error) throw made.error;
    },
  });
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['unknown', 'not-done']);
});

test('if no token can be obtained, the batch is not-done, even if the token endpoint answered', async () => {
  const { url } = await serve(status(403));
  const api = clientOf(url, { auth: { clientId: 'id', clientSecret: 'secret-value' } });
  expect(await statusesOf(({ signal }) => api.crm.boards.create({ name: 'Tasks' }, { signal }))).toEqual(['not-done']);
});

test('a list that run only returns starts within its batch', async () => {
  const lists = refusingClient().crm.contacts;
  expect(await statusesOf(() => lists.list())).toEqual(['not-done']);
});

test.each<[string, Run, string]>([
  ['a call that had not been sent', ({ signal }) => refusedLater(signal), 'not-done'],
  ['a call under way at the service', ({ signal }) => stalling(signal), 'unknown'],
  ['no call', ({ signal }) => abortOf(signal), 'unknown'],
  ['a call that was not sent before', ({ signal }) => caught(refused(signal)).then(() => abortOf(signal)), 'not-done'],
  ['a call that was sent before', ({ signal }) => sent(signal).then(() => abortOf(signal)), 'unknown'],
  [
    'a call that was not sent before, and fails with an error of the program',
    ({ signal }) =>
      caught(refused(signal))
        .then(() => abortOf(signal))
        .catch(() => Promise.reject(new Error('x'))),
    'unknown',
  ],
  [
    'a call that is still under way without the signal',
    ({ signal }) => Promise.race([stalling(), abortOf(signal)]),
    'unknown',
  ],
])('the status of a batch that is aborted with %s', async (_, run, expected) => {
  const controller = new AbortController();
  const stopped = stopOf(
    runInBatches({
      items: [1, 2],
      size: 1,
      concurrency: 1,
      signal: controller.signal,
      run(_items, options) {
        const made = run(options);
        setImmediate(() => setImmediate(() => controller.abort(new Error('stop'))));
        return made;
      },
    }),
  );
  expect((await stopped).statuses).toEqual([expected, 'not-done']);
});

/** Waits for the abort without a call. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

/** A call that is aborted while it waits for its token. */
function refusedLater(signal: AbortSignal): PromiseLike<unknown> {
  const api = clientOf('https://api.example.com', { auth: { getToken: () => stalled }, fetch: () => stalled });
  return api.crm.boards.create({ name: 'Tasks' }, { signal });
}

function stalling(signal?: AbortSignal): PromiseLike<unknown> {
  const fetch = (_url: string, init: RequestInit) =>
    new Promise<Response>((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  const end = new AbortController();
  const made = clientOf('https://api.example.com', { fetch }).crm.boards.create(
    { name: 'Tasks' },
    { signal: signal ?? end.signal },
  );
  if (signal) return made;
  // Its timer would otherwise fire during a later test.
  const ended = made.catch(() => undefined);
  onTestFinished(async () => {
    end.abort();
    await ended;
  });
  return ended;
}

test('a batch reported as not-done sends no more requests, even without its signal', async () => {
  const { url, received } = await serve(done);
  const api = clientOf(url);
  let late: Promise<unknown> | undefined;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const statuses = await statusesOf(() => {
    late = released.then(() => api.crm.boards.create({ name: 'late' }));
    return Promise.all([refused(), late]);
  });
  expect(statuses).toEqual(['not-done']);
  release();
  await expect(late).rejects.toMatchObject({
    name: 'ArgumentError',
    sent: 'no',
    message:
      "POST /boards (createBoard): its batch has ended as not-done; pass the batch's signal, or start a queue outside of batches; nothing was sent",
  });
  expect(received).toEqual([]);
});

test('an aborted run ends even if its batches never settle and the service never answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  watchTimers();
  const { url, received } = await serve(stall);
  const api = clientOf(url);
  const controller = new AbortController();
  const stopped = stopOf(
    runInBatches({
      items: ['never', 'without signal', 'settles'],
      size: 1,
      signal: controller.signal,
      run([how], { signal }): PromiseLike<unknown> {
        if (how === 'settles') return abortOf(signal).catch(() => 'after all');
        return how === 'never' ? stalled : api.crm.boards.create({ name: 'Tasks' }, { timeout: 60_000 });
      },
    }),
  );
  while (received.length === 0) await new Promise((resolve) => setImmediate(resolve));
  controller.abort(new Error('stop'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await stopped).toMatchObject({
    statuses: ['unknown', 'unknown', 'done'],
    outcomes: [{ error: { message: 'stop' } }, {}, { result: 'after all' }],
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(countTimers()).toBe(0);
});

test("a call without a signal may belong to any batch, because a queue may start it in another's context", async () => {
  const { url, received } = await serve(done);
  const api = clientOf(url);
  const waiting: (() => Promise<unknown>)[] = [];
  let isBusy = false;
  /** A queue that starts each call in the context of the previous one. */
  const enqueue = (start: () => Promise<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push(() => start().then(resolve, reject));
      if (!isBusy) void work();
    });
  const work = async (): Promise<void> => {
    isBusy = true;
    for (let start = waiting.shift(); start; start = waiting.shift()) await start();
    isBusy = false;
  };
  const outcomes = await runInBatches({
    items: ['first', 'second'],
    size: 1,
    async run([name = '']) {
      await enqueue(() => Promise.resolve(api.crm.boards.create({ name })));
      await refused();
    },
  });
  expect(received).toHaveLength(2);
  expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'unknown']);
});
