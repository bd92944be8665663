import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Agent,
  type Dispatcher,
  getGlobalDispatcher,
  ProxyAgent,
  RetryAgent,
  setGlobalDispatcher,
  fetch as undiciFetch,
} from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Client, type ClientOptions, isCarillonError, runInBatches } from '../../../src/client/index.ts';
import { serveRaw } from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import { answerJson, listen } from '../../support/server.ts';
import { clientOf, failureOf } from './support.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A service that counts the boards that it creates, by name. Loses the replies to some. */
async function countingService(loses: (name: string) => boolean = () => false) {
  const created = new Map<string, number>();
  const { url } = await listen(({ body }, response) => {
    const { name } = JSON.parse(body);
    created.set(name, (created.get(name) ?? 0) + 1);
    if (loses(name)) response.socket?.resetAndDestroy();
    else answerJson(response, { data: { id: created.size } });
  });
  return { url, created };
}

/** Runs up to `concurrency` tasks. Like p-queue and p-limit, it starts a task in the context of the one that made room. */
function limiter(concurrency: number): Schedule {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    if (running === concurrency) return;
    const start = waiting.shift();
    if (!start) return;
    running += 1;
    start();
  };
  return (task) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        running -= 1;
        next();
      };
      waiting.push(() => void task().then(resolve, reject).finally(end));
      next();
    });
}

/** Collects tasks until the end of the turn, and starts all in the context of the first. Like DataLoader. */
function loader(): Schedule {
  let waiting: (() => void)[] = [];
  const startAll = (): void => {
    const tasks = waiting;
    waiting = [];
    for (const start of tasks) start();
  };
  return (task) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) process.nextTick(startAll);
      waiting.push(() => void task().then(resolve, reject));
    });
}

/** Starts one task per tick of a timer, which has the context of the first task. Like token buckets. */
function ticker(): Schedule {
  const waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  onTestFinished(() => clearInterval(timer));
  return (task) =>
    new Promise((resolve, reject) => {
      waiting.push(() => void task().then(resolve, reject));
      timer ??= setInterval(() => waiting.shift()?.(), 1);
    });
}

const { fetch: platformFetch } = globalThis;

type Schedule = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Where the request of a call is sent to, and what else is sent. `scheduled` sends through a queue, `fetch` at once. */
interface Wires {
  scheduled: typeof platformFetch;
  fetch: typeof platformFetch;
  /** An address without a server. */
  collector: string;
}

const audit = { method: 'POST', body: 'audit' };

/** Ways in which an application sends each request once, and something else besides. */
const wrappers: Record<string, (wires: Wires) => Fetch> = {
  'the request alone': ({ scheduled }) => scheduled,
  'an audit line after it':
    ({ scheduled, fetch, collector }) =>
    async (url, init) => {
      const response = await scheduled(url, init);
      await fetch(collector, audit);
      return response;
    },
  'an audit line after it, in the queue':
    ({ scheduled, collector }) =>
    async (url, init) => {
      const response = await scheduled(url, init);
      await scheduled(collector, audit);
      return response;
    },
  'an audit line even if it fails':
    ({ scheduled, fetch, collector }) =>
    (url, init) =>
      scheduled(url, init).finally(() => fetch(collector, audit)),
  'an audit line before it, which may fail':
    ({ scheduled, fetch, collector }) =>
    async (url, init) => {
      await fetch(collector, audit).catch(() => undefined);
      return scheduled(url, init);
    },
  'failover to a second address that is up':
    ({ scheduled, fetch, collector }) =>
    async (url, init) => {
      const { pathname } = new URL(url);
      await fetch(new URL(pathname, collector), init).catch(() => undefined);
      return scheduled(url, init);
    },
  'failover to a second address that is down':
    ({ scheduled, fetch, collector }) =>
    (url, init) =>
      scheduled(url, init).catch(() => fetch(new URL(new URL(url).pathname, collector), init)),
  'failover to a gateway with a prefix':
    ({ scheduled, fetch, collector }) =>
    async (url, init) => {
      const { origin, pathname } = new URL(url);
      await fetch(new URL(pathname, collector), init).catch(() => undefined);
      return scheduled(`${origin}/gateway${pathname}`, init);
    },
  'a check of the own address, which is refused, before the gateway': ({ scheduled, fetch, collector }) => {
    const gateway = scheduled;
    return async (url, init) => {
      const response = await gateway(url, init);
      await fetch(new URL(new URL(url).pathname, collector), init);
      return response;
    };
  },
};

const schedulers: Record<string, () => Schedule> = {
  'no queue': () => (task) => task(),
  'a queue of one': () => limiter(1),
  'a limiter of three': () => limiter(3),
  'a loader': loader,
  'a timer': ticker,
};

const names = Array.from({ length: 6 }, (_, index) => `Board ${index + 1}`);

/** Each wrapper, and each queue. */
const combinations = Object.keys(wrappers).map((wrapper, index) => ({
  scheduler: Object.keys(schedulers)[index % 5] ?? '',
  wrapper,
}));

describe.each(combinations)('$scheduler, $wrapper', ({ scheduler, wrapper }) => {
  async function start(): Promise<{ api: Client; created: Map<string, number> }> {
    const { url, created } = await countingService((name) => Number(name.split(' ')[1]) % 3 === 0);
    const schedule = schedulers[scheduler]?.();
    const wrap = wrappers[wrapper];
    if (!schedule || !wrap) throw new Error('There is no such wrapper');
    const scheduled: typeof platformFetch = (input, init) => schedule(() => platformFetch(input, init));
    const fetch = wrap({ scheduled, fetch: platformFetch, collector: refusedUrl });
    return { api: clientOf(url, { fetch: (input, init) => fetch(input, init as RequestInit) }), created };
  }

  test('a call that created a board is never reported as not sent, and creates no second one', async () => {
    const { api, created } = await start();
    const sent = await Promise.all(
      names.map((name) => {
        const call = api.crm.boards.create({ name });
        return call.then(
          () => call.sent,
          () => call.sent,
        );
      }),
    );
    expect(names.filter((_, index) => sent[index] === 'no')).toEqual([]);
    expect([...created.values()]).toEqual(names.map(() => 1));
  });

  test('a batch that created a board is never not-done', async () => {
    const { api, created } = await start();
    const outcomes = await runInBatches({
      items: names,
      size: 1,
      concurrency: 4,
      run: ([name = ''], { signal }) => api.crm.boards.create({ name }, { signal }),
    });
    expect(outcomes.filter(({ status }) => status === 'not-done')).toEqual([]);
    expect([...created.values()]).toEqual(names.map(() => 1));
  });
});

/** Makes Node's own `fetch` use a dispatcher during a test. */
function useDispatcher(dispatcher: Dispatcher): void {
  const before = getGlobalDispatcher();
  setGlobalDispatcher(dispatcher);
  onTestFinished(async () => {
    setGlobalDispatcher(before);
    await dispatcher.destroy();
  });
}

test.each(["Node's own dispatcher", 'an Agent from npm'])(
  'without a wrapper, 20 creates of one path with half of the service down are 10 no and 10 maybe: %s',
  async (kind) => {
    if (kind === 'an Agent from npm') useDispatcher(new Agent());
    const { url, created } = await countingService(() => true);
    const up = clientOf(url, { maxRetries: 0 });
    const down = clientOf(refusedUrl, { maxRetries: 0 });
    const sent = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const error = await failureOf((index % 2 ? up : down).crm.boards.create({ name: `Board ${index}` }));
        return isCarillonError(error) ? error.sent : error;
      }),
    );
    expect(sent).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 ? 'maybe' : 'no')));
    expect(created.size).toBe(10);
  },
);

test('behind a fetch that is given, a refused call beside a twin that was written is in doubt', async () => {
  const { url, created } = await countingService(() => true);
  const fetch: Fetch = (input, init) => platformFetch(input, init);
  const down = clientOf(refusedUrl, { fetch, maxRetries: 0 });
  const lost = failureOf(clientOf(url, { fetch, maxRetries: 0 }).crm.boards.create({ name: 'first' }));
  expect(await failureOf(down.crm.boards.create({ name: 'second' }))).toMatchObject({ sent: 'maybe' });
  expect(await lost).toMatchObject({ sent: 'maybe' });
  expect(created).toEqual(new Map([['first', 1]]));
  // Alone, it is not.
  expect(await failureOf(down.crm.boards.create({ name: 'third' }))).toMatchObject({ sent: 'no' });
});

test('proveUnsent: false turns the proof off, for a fetch that also sends what Node does not report', async () => {
  const create = (options: Partial<ClientOptions>) =>
    failureOf(clientOf(refusedUrl, options).crm.boards.create({ name: 'Tasks' }));
  expect(await create({ proveUnsent: false })).toMatchObject({ sent: 'maybe', attempts: 1 });
  expect(await create({ proveUnsent: true })).toMatchObject({ sent: 'no', attempts: 3 });
  expect(await create({ proveUnsent: false, trustConnectErrors: true })).toMatchObject({ sent: 'no', attempts: 3 });
  expect(() => clientOf(refusedUrl, { proveUnsent: 'false' as never })).toThrow('proveUnsent must be true or false');
});

test("a proxy for Node's own fetch: calls of one path do not confuse the proof, and an abort while it connects is not sent", async () => {
  const proxy = createServer();
  proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 502 No\r\n\r\n'));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const { url } = await countingService(() => true);
  const direct = clientOf(url, { maxRetries: 0 });
  const { port } = proxy.address() as AddressInfo;
  const posted = nextPost();
  const lost = failureOf(direct.crm.boards.create({ name: 'first' }));
  await posted;
  useDispatcher(new ProxyAgent(`http://127.0.0.1:${port}`));
  const refused = clientOf('https://api.example.com', { maxRetries: 0 });
  expect(await failureOf(refused.crm.boards.create({ name: 'second' }))).toMatchObject({ sent: 'no' });
  expect(await lost).toMatchObject({ sent: 'maybe' });
  proxy.removeAllListeners('connect').on('connect', () => undefined);
  const late = clientOf('https://api.example.com', { timeout: 50 });
  expect(await failureOf(late.crm.boards.create({ name: 'third' }))).toMatchObject({
    name: 'DeadlineError',
    sent: 'no',
  });
});

/** A service that answers a GET when it is told to, and counts the boards that it creates. */
async function holdingService() {
  const created: string[] = [];
  let release = (): void => undefined;
  let note = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    note = resolve;
  });
  const { url } = await listen(({ method, body }, response) => {
    if (method === 'GET') {
      release = () => answerJson(response, { data: { id: 1 } });
      note();
    } else {
      created.push(JSON.parse(body).name);
      answerJson(response, { data: { id: created.length } });
    }
  });
  return { url, created, held, release: () => release() };
}

/** Resolves when undici has created the next POST. */
function nextPost(): Promise<void> {
  return new Promise((resolve) => {
    const see = (message: unknown): void => {
      if (Object(message).request.method !== 'POST') return;
      unsubscribe('undici:request:create', see);
      resolve();
    };
    subscribe('undici:request:create', see);
  });
}

/** Aborts a create that waits for the connection of a GET. */
async function abortQueued(options: Partial<ClientOptions>) {
  const { url, created, held, release } = await holdingService();
  const api = clientOf(url, options);
  const read = api.crm.deals.get({ dealId: 1 });
  await Promise.race([held, read]);
  const controller = new AbortController();
  const posted = nextPost();
  const call = api.crm.boards.create({ name: 'aborted' }, { signal: controller.signal });
  const failed = failureOf(call);
  await posted;
  controller.abort(new Error('stop'));
  expect(await failed).toMatchObject({ message: 'stop' });
  const { sent } = call;
  release();
  await read;
  // Later on the same connection.
  await api.crm.boards.create({ name: 'later' });
  return { sent, created };
}

test("aborted in the queue of Node's own fetch: not sent, and the service never sees it", async () => {
  useDispatcher(new Agent({ connections: 1 }));
  expect(await abortQueued({})).toEqual({ sent: 'no', created: ['later'] });
});

test('aborted in the queue behind a fetch that drops the signal: in doubt, and the service sees it later', async () => {
  const dispatcher = new Agent({ connections: 1 });
  onTestFinished(() => dispatcher.destroy());
  const fetch: Fetch = (url, { signal, ...init }) =>
    // The two types of a response differ in members that the client does not read.
    undiciFetch(url, { ...(init as object), dispatcher }) as unknown as Promise<Response>;
  expect(await abortQueued({ fetch })).toEqual({ sent: 'maybe', created: ['aborted', 'later'] });
});

test('aborted behind a dispatcher that can repeat requests: in doubt', async () => {
  useDispatcher(new RetryAgent(new Agent({ connections: 1 })));
  expect(await abortQueued({})).toEqual({ sent: 'maybe', created: ['later'] });
});

/** An address whose TLS handshakes never end. */
async function silentAddress(): Promise<string> {
  const { url } = await serveRaw(() => undefined);
  return url.replace('http:', 'https:');
}

test.each<[string, 'no' | 'maybe', Fetch?]>([
  ["Node's own fetch", 'no'],
  ['a fetch that is given', 'maybe', (url, init) => platformFetch(url, init)],
])('a deadline while %s connects: %s', async (_, sent, fetch) => {
  const api = clientOf(await silentAddress(), { timeout: 50, ...(fetch && { fetch }) });
  expect(await failureOf(api.crm.boards.create({ name: 'Tasks' }))).toMatchObject({ name: 'DeadlineError', sent });
});

test("a deadline while Node's own fetch connects is in doubt beside an HTTP/2 connection that reports no writes", async () => {
  const socket = { alpnProtocol: 'h2' };
  const api = clientOf(await silentAddress(), { timeout: 50 });
  const create = () => failureOf(api.crm.boards.create({ name: 'Tasks' }));
  expect(await create()).toMatchObject({ sent: 'no' });
  channel('undici:client:connected').publish({ socket });
  // It counts until its first report of a write.
  onTestFinished(() => channel('undici:client:sendHeaders').publish({ socket, request: { method: 'GET', path: '/' } }));
  expect(await create()).toMatchObject({ name: 'DeadlineError', sent: 'maybe' });
});

test('a batch whose deadline passes while it connects is not-done', async () => {
  const api = clientOf(await silentAddress(), { timeout: 50 });
  const outcomes = await runInBatches({
    items: ['Tasks'],
    size: 1,
    run: ([name = '']) => api.crm.boards.create({ name }),
  });
  expect(outcomes).toMatchObject([{ status: 'not-done' }]);
});

test('attempts that exceed their limit while they connect are not sent', async () => {
  let isConnecting = false;
  const { url } = await serveRaw(() => {
    isConnecting = true;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const api = clientOf(url.replace('http:', 'https:'), { attemptTimeout: 100, timeout: 2_000, maxRetries: 1 });
  const failed = failureOf(api.crm.deals.delete({ dealId: 1 }));
  while (!isConnecting) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await failed).toMatchObject({ sent: 'no', attempts: 2 });
});
