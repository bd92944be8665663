import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, request } from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Agent, buildConnector, getGlobalDispatcher, ProxyAgent, RetryAgent, fetch as undiciFetch } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, isCarillonError } from '../../../src/client/index.ts';
import { reset, respond, serve, serveRaw, status } from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import { answerJson, listen } from '../../support/server.ts';
import { clientOf, failureOf, refusal, useDispatcher } from './support.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

const { fetch: platformFetch } = globalThis;
const done = respond({ data: { id: 501 } });
const renewal = { pipelineId: 1, stepId: 11, name: 'Renewal' };

/** A wrapper that delivers the request, and then fails on a refused connection to another port. */
function brokenExporter(): typeof fetch {
  const { fetch } = globalThis;
  return async (input, init) => {
    const response = await fetch(input, init);
    await fetch(refusedUrl, { method: 'POST', body: 'span' });
    return response;
  };
}

test.each(['the global fetch, wrapped', 'a fetch that is given'])(
  '%s: a refused connection to another port does not show that the request was not sent',
  async (kind) => {
    const { url, received } = await serve(done);
    const wrapped = brokenExporter();
    if (kind === 'the global fetch, wrapped') vi.stubGlobal('fetch', wrapped);
    const api = clientOf(url, kind === 'a fetch that is given' ? { fetch: wrapped } : {});
    const error = await failureOf(api.crm.deals.create(renewal));
    expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe', attempts: 1 });
    expect(received).toHaveLength(1);
  },
);

test.each(['RetryAgent', 'RetryAgent behind the factory of an Agent', 'a class that is only named Agent'])(
  'a dispatcher that delivers a request and is refused later proves nothing: %s',
  async (kind) => {
    let requests = 0;
    // Accepts one request, drops the connection, and stops listening.
    const server = createServer((incoming, { socket }) => {
      requests += 1;
      incoming.resume().on('end', () => server.close(() => socket?.destroy()) && socket?.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const retry = { methods: ['POST'], minTimeout: 1, maxRetries: 2, errorCodes: ['UND_ERR_SOCKET', 'ECONNREFUSED'] };
    const wrap = (): RetryAgent => new RetryAgent(new Agent(), retry);
    const dispatcher =
      kind === 'RetryAgent'
        ? wrap()
        : kind === 'a class that is only named Agent'
          ? new { Agent: class extends RetryAgent {} }.Agent(new Agent(), retry)
          : new Agent({ factory: wrap });
    useDispatcher(dispatcher);
    const { port } = server.address() as AddressInfo;
    const api = clientOf(`http://127.0.0.1:${port}`);
    const error = await failureOf(api.crm.deals.create(renewal));
    expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
    expect(requests).toBe(1);
  },
);

test('requests through node:http and node:http2 prove nothing', async () => {
  const { url, received } = await serve(done);
  const { fetch } = globalThis;
  const secure = http2.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => secure.once('listening', resolve));
  onTestFinished(() => void secure.close());
  const http2Url = `http://127.0.0.1:${(secure.address() as AddressInfo).port}`;
  const wrappers: Record<string, (input: string, init: RequestInit) => Promise<Response>> = {
    'node:http': async (input, init) => {
      const { method, headers } = init;
      const delivered = input.replace(refusedUrl, url);
      await new Promise((resolve, reject) => {
        const sent = request(
          delivered,
          { method: String(method), headers: headers as Record<string, string> },
          (answer) => answer.resume().on('end', resolve),
        );
        sent.on('error', reject).end(init.body);
      });
      return fetch(input, init);
    },
    'node:http2': async (input, init) => {
      const session = http2.connect(http2Url);
      const stream = session.request({ ':method': 'POST' });
      stream.on('error', () => undefined).end(init.body);
      session.close();
      return fetch(input, init);
    },
  };
  for (const name of ['node:http', 'node:http2']) {
    const wrapper = wrappers[name];
    if (!wrapper) throw new Error(`There is no ${name}`);
    const api = clientOf(refusedUrl, { fetch: wrapper });
    expect(await failureOf(api.crm.deals.create(renewal)), name).toMatchObject({ sent: 'maybe', attempts: 1 });
  }
  expect(received).toHaveLength(1);
});

test('a request that is still connecting when another is refused may be sent later', async () => {
  // Accepts the connection, and never answers the TLS handshake.
  const { url } = await serveRaw(() => undefined);
  const { fetch } = globalThis;
  const api = clientOf(refusedUrl, {
    fetch(input, init) {
      fetch(url.replace('http:', 'https:'), init).catch(() => undefined);
      return fetch(input, init);
    },
  });
  expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({ sent: 'maybe', attempts: 1 });
});

test("retries a connection that was refused to Node's own fetch, which shows that no request was sent", async () => {
  const error = await failureOf(clientOf(refusedUrl).crm.deals.create(renewal));
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', attempts: 3 });
  expect(String(error)).toMatch(/could not connect to 127\.0\.0\.1:\d+: connect ECONNREFUSED /);
});

/** Ways to send a request of Node's own `fetch`, or of undici, once. */
const wrapped = {
  'a wrapper': (url: string, init: RequestInit) => platformFetch(url, init),
  'a proxy object': new Proxy(platformFetch, {}),
  'a bound fetch': platformFetch.bind(undefined),
  'undici from npm': (url: string, init: object) => undiciFetch(url, { ...init, dispatcher: getGlobalDispatcher() }),
};

describe.each(Object.keys(wrapped) as (keyof typeof wrapped)[])('%s around the fetch of the platform', (kind) => {
  const fetch = wrapped[kind];

  test('a refused connection is in doubt', async () => {
    const error = await failureOf(clientOf(refusedUrl, { fetch }).crm.deals.create(renewal));
    expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe', attempts: 1 });
  });

  test('a refused connection is trusted if an option says so', async () => {
    const api = clientOf(refusedUrl, { fetch, trustConnectErrors: true });
    expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({ sent: 'no', attempts: 3 });
  });
});

test.each(['a raw socket', 'another client'])(
  'a wrapper that falls back to %s after a refused connection proves nothing',
  async (kind) => {
    const { url, received } = await serve(reset);
    const other = clientOf(url, { maxRetries: 0 });
    const api = clientOf(refusedUrl, {
      async fetch(input, init) {
        await fetch(input, init).catch(() => undefined);
        if (kind === 'another client') await other.crm.deals.create(renewal);
        throw new Error('the socket was closed');
      },
    });
    const error = await failureOf(api.crm.deals.create(renewal));
    expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe', attempts: 1 });
    expect(received).toHaveLength(kind === 'another client' ? 1 : 0);
  },
);

test("requests of a client within another's fetch count for both, even if it ends with a refused connection", async () => {
  const { url, received } = await serve(done);
  const { fetch } = globalThis;
  const other = clientOf(url);
  const api = clientOf(refusedUrl, {
    async fetch(input, init) {
      await other.crm.deals.create(renewal);
      return fetch(input, init);
    },
  });
  expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({ sent: 'maybe', attempts: 1 });
  expect(received).toHaveLength(1);
});

test('a hundred concurrent calls, every other one refused, keep their outcomes apart', async () => {
  const { url, received } = await serve(reset);
  const refused = clientOf(refusedUrl, { maxRetries: 0 });
  const lost = clientOf(url, { maxRetries: 0 });
  const sent = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const error = await failureOf((index % 2 ? lost : refused).crm.boards.create({ name: 'Tasks' }));
      return isCarillonError(error) ? error.sent : error;
    }),
  );
  expect(sent).toEqual(Array.from({ length: 100 }, (_, index) => (index % 2 ? 'maybe' : 'no')));
  expect(received).toHaveLength(50);
});

test('a reused connection that is lost proves nothing', async () => {
  const { url } = await serve(done, reset);
  const api = clientOf(url, { maxRetries: 0 });
  await api.crm.boards.create({ name: 'Tasks' });
  expect(await failureOf(api.crm.boards.create({ name: 'Tasks' }))).toMatchObject({ sent: 'maybe' });
});

test.each<[string, boolean | undefined, 'no' | 'maybe', number]>([
  ['proves nothing', undefined, 'maybe', 1],
  ['proves nothing if an option says so', false, 'maybe', 1],
  ['is trusted if an option says so', true, 'no', 3],
])('an error code of a fetch that the client cannot observe %s', async (_, trustConnectErrors, sent, attempts) => {
  const fetch = () => Promise.reject(refusal());
  const api = clientOf('https://api.example.com', { fetch, trustConnectErrors });
  expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({ name: 'ConnectionError', sent, attempts });
});

test.each([
  ['an empty AggregateError', () => Promise.reject(new AggregateError([]))],
  [
    'a code, although the request was seen to leave',
    async (input: string, init: RequestInit) => {
      await fetch(input, init);
      throw refusal();
    },
  ],
])('trustConnectErrors does not trust %s', async (_, fetch) => {
  const { url } = await serve(done);
  const api = clientOf(url, { fetch, trustConnectErrors: true });
  expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({ sent: 'maybe', attempts: 1 });
});

test('the reason of an abort is no connect error of the call, even with trustConnectErrors', async () => {
  const controller = new AbortController();
  const fetch = () => new Promise<never>(() => controller.abort(refusal()));
  const api = clientOf('https://api.example.com', { fetch, trustConnectErrors: true });
  const call = api.crm.deals.create(renewal, { signal: controller.signal });
  expect(await failureOf(call)).toBe(controller.signal.reason);
  expect(call.sent).toBe('maybe');
});

test('an error after the start of a response never reports no, even with trustConnectErrors', async () => {
  const body = new ReadableStream({ pull: () => Promise.reject(refusal()) });
  const api = clientOf('https://api.example.com', { fetch: async () => new Response(body), trustConnectErrors: true });
  expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
});

test('after a 429 or 401, a refused connection reports maybe, because the first request may have been processed', async () => {
  for (const code of [429, 401]) {
    const { url } = await serve(status(code, { 'Retry-After': '0' }));
    let requests = 0;
    const api = clientOf(refusedUrl, {
      auth: { getToken: ({ forceRefresh }) => (forceRefresh ? 'second' : 'first') },
      fetch(input, init) {
        requests += 1;
        return fetch(requests === 1 ? input.replace(refusedUrl, url) : input, init);
      },
    });
    expect(await failureOf(api.crm.deals.create(renewal))).toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
  }
});

test.each([
  ['a network error (Response.error())', () => Response.error()],
  ['something that is not a Response', () => ({ status: 500, ok: false }) as Response],
  ['nothing', () => undefined as unknown as Response],
])('a fetch that resolves to %s has no response', async (_, answer) => {
  const api = clientOf('https://api.example.com', { fetch: async () => answer() });
  const error = await failureOf(api.crm.boards.create({ name: 'Tasks' }));
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe', attempts: 1 });
});

/** A service that counts the boards that it creates, by name. Loses the responses to some. */
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

test('aborted in the queue behind a dispatcher that can repeat requests: not sent, and the service never sees it', async () => {
  useDispatcher(new RetryAgent(new Agent({ connections: 1 })));
  expect(await abortQueued({})).toEqual({ sent: 'no', created: ['later'] });
});

test('aborted behind a dispatcher that repeats a refused request: in doubt, because the repeated one was written', async () => {
  const controller = new AbortController();
  const { url, received } = await listen(() => controller.abort(new Error('stop')));
  const connect = buildConnector({});
  let connections = 0;
  const refusedOnce: buildConnector.connector = (options, callback) => {
    connections += 1;
    if (connections === 1) callback(refusal(), null);
    else connect(options, callback);
  };
  const retry = { methods: ['POST' as const], minTimeout: 1, errorCodes: ['ECONNREFUSED'] };
  useDispatcher(new RetryAgent(new Agent({ connect: refusedOnce }), retry));
  const call = clientOf(url).crm.boards.create({ name: 'Tasks' }, { signal: controller.signal });
  expect(await failureOf(call)).toMatchObject({ message: 'stop' });
  expect(call.sent).toBe('maybe');
  expect(received).toHaveLength(1);
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
