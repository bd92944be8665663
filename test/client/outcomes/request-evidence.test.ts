import { createServer, request } from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import {
  Agent,
  type Dispatcher,
  getGlobalDispatcher,
  RetryAgent,
  setGlobalDispatcher,
  fetch as undiciFetch,
} from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isCarillonError, runInBatches } from '../../../src/client/index.ts';
import { reply, reset, serve, serveRaw, status } from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import { clientOf, failureOf, refusal } from './support.ts';

const done = reply({ data: { id: 501 } });
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

test('batches with a wrapped fetch that fails after delivery are unknown, and each is sent once', async () => {
  const { url, received } = await serve(done);
  vi.stubGlobal('fetch', brokenExporter());
  const api = clientOf(url);
  const outcomes = await runInBatches({
    items: ['first', 'second'],
    size: 1,
    run: ([name = ''], { signal }) => api.crm.boards.create({ name }, { signal }),
  });
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['unknown', 'unknown']);
  expect(received).toHaveLength(2);
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

test.each(['the platform', 'a wrapper', 'undici from npm'])(
  'retries a refused connection, which proves that no request was sent: %s',
  async (kind) => {
    const { fetch } = globalThis;
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const own = {
      'the platform': undefined,
      'a wrapper': (url: string, init: RequestInit) => fetch(url, init),
      'undici from npm': (url: string, init: object) => undiciFetch(url, { ...init, dispatcher }),
    }[kind];
    const api = clientOf(refusedUrl, own && { fetch: own });
    const error = await failureOf(api.crm.deals.create(renewal));
    expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', attempts: 3 });
    expect(String(error)).toMatch(/could not connect to 127\.0\.0\.1:\d+: the connection was refused \(ECONNREFUSED\)/);
  },
);

test.each(['a raw socket', 'another client'])(
  'a wrapper that falls back to %s after a refused connection proves nothing',
  async (kind) => {
    const { url, received } = await serve(reset);
    const { fetch } = globalThis;
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

test('a hundred concurrent calls, every other one refused, keep their evidence apart', async () => {
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

test('an error after the start of a reply never reports no, even with trustConnectErrors', async () => {
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

test("counts the platform's second POST after a 421, and the error reports maybe", async () => {
  const { url, received } = await serve(status(421), status(422));
  const error = await failureOf(clientOf(url).crm.boards.create({ name: 'Tasks' }));
  expect(received).toHaveLength(2);
  expect(error).toMatchObject({ name: 'UnprocessableEntityError', attempts: 2, sent: 'maybe' });
});

test.each([
  ['a network error (Response.error())', () => Response.error()],
  ['something that is not a Response', () => ({ status: 500, ok: false }) as Response],
  ['nothing', () => undefined as unknown as Response],
])('a fetch that resolves to %s has no reply', async (_, answer) => {
  const api = clientOf('https://api.example.com', { fetch: async () => answer() });
  const error = await failureOf(api.crm.boards.create({ name: 'Tasks' }));
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe', attempts: 1 });
});
