import { AsyncResource } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { expect, onTestFinished, test, vi } from 'vitest';
import { observeRequests, RequestEvidence } from '../../../src/client/core/evidence.ts';
import { watchProcess } from '../outcomes/support.ts';

type Copy = typeof import('../../../src/client/core/evidence.ts');
type Modules = { 'node:diagnostics_channel'?: object; 'node:async_hooks'?: object };

const origin = 'https://api.example.com';
const path = '/v1/boards?limit=1';
const url = `${origin}${path}`;
const refused = new Error('connect ECONNREFUSED');
const reset = new Error('read ECONNRESET');

const undici = (event: string, message: object): void => channel(`undici:${event}`).publish(message);
const create = (request: object): void => undici('request:create', { request });
const write = (request: object): void => undici('client:sendHeaders', { request });
const refuse = (request: object): void => {
  undici('client:connectError', { error: refused });
  undici('request:error', { request, error: refused });
};
const lose = (request: object): void => undici('request:error', { request, error: reset });
const startHttp = (method = 'GET', path = '/'): void =>
  channel('http.client.request.start').publish({ request: { method, path } });
const startHttp2 = (): void => channel('http2.client.stream.created').publish({});

/** A request, through all of its events. */
function report(method: string, ...events: ((request: object) => void)[]): void {
  reportTo({ method, origin, path }, ...events);
}

function reportTo(request: object, ...events: ((request: object) => void)[]): void {
  for (const event of events) event(request);
}

/** The evidence of an attempt that is still open. */
function evidenceOf(fetch: () => unknown): RequestEvidence {
  const evidence = new RequestEvidence('POST', url);
  onTestFinished(() => evidence.end());
  observeRequests(evidence, fetch as () => Promise<Response>, url, {});
  return evidence;
}

test.each<[string, boolean, () => void]>([
  ['no request', false, () => undefined],
  ['a request that failed while connecting', true, () => report('POST', create, refuse)],
  ['a request that failed otherwise', false, () => report('POST', create, lose)],
  ['a request that is still connecting', false, () => report('POST', create)],
  [
    'a request that is still connecting beside one that failed',
    false,
    () => {
      report('POST', create);
      report('POST', create, refuse);
    },
  ],
  ['a request that failed after it was written', false, () => report('POST', create, write, refuse)],
  [
    'another request that was written beside one that failed',
    false,
    () => {
      report('POST', create, refuse);
      reportTo({ method: 'POST', origin: 'https://collector.example', path: '/audit' }, create, write);
    },
  ],
  [
    'another request that was refused beside one that failed',
    true,
    () => {
      report('POST', create, refuse);
      reportTo({ method: 'POST', origin: 'https://collector.example', path: '/audit' }, create, refuse);
    },
  ],
  [
    'a request of node:http beside one that failed',
    false,
    () => {
      startHttp();
      report('POST', create, refuse);
    },
  ],
  [
    'a request of node:http2 beside one that failed',
    false,
    () => {
      startHttp2();
      report('POST', create, refuse);
    },
  ],
  ['only a tunnel through a proxy', false, () => report('CONNECT', create, refuse)],
  [
    'a request that failed after the request for its tunnel was written',
    true,
    () => {
      report('CONNECT', create, write);
      report('POST', create, refuse);
    },
  ],
  [
    'a request through a proxy without a tunnel',
    true,
    () => reportTo({ method: 'POST', origin: 'http://127.0.0.1:3128', path: url }, create, refuse),
  ],
  ['a request of another method', false, () => report('GET', create, refuse)],
  [
    'a request to another address',
    false,
    () => reportTo({ method: 'POST', origin: 'https://backup.example', path }, create, refuse),
  ],
  ['a request to another path', false, () => reportTo({ method: 'POST', origin, path: '/' }, create, refuse)],
])('%s proves that nothing was sent: %s', (_, expected, fetch) => {
  expect(evidenceOf(fetch).provesUnsent(new TypeError('fetch failed', { cause: refused }))).toBe(expected);
});

test('an error that is not of the request proves nothing', () => {
  const evidence = evidenceOf(() => report('POST', create, refuse));
  expect(evidence.provesUnsent(new TypeError('fetch failed', { cause: reset }))).toBe(false);
});

/** A request of another call, or of the program, with the method and path of the attempt. */
test.each<[string, boolean, () => void]>([
  ['written', false, () => report('POST', create, write)],
  ['written to another address', false, () => reportTo({ method: 'POST', origin: 'http://a.example', path }, write)],
  ['written to a proxy', false, () => reportTo({ method: 'POST', origin: 'http://a.example', path: url }, write)],
  ['begun with node:http', false, () => startHttp('POST', path)],
  ['refused', true, () => report('POST', create, refuse)],
  ['written with another method', true, () => report('PUT', create, write)],
  ['written to another path', true, () => reportTo({ method: 'POST', origin, path: '/v1/boards' }, create, write)],
])('a refused request behind a wrapper, while a twin was %s, proves that nothing was sent: %s', (_, expected, twin) => {
  const evidence = evidenceOf(() => report('POST', create, refuse));
  evidenceOf(twin);
  expect(evidence.provesUnsent(refused)).toBe(expected);
});

test('a twin that was written before the attempt began does not matter', () => {
  evidenceOf(() => report('POST', create, write));
  expect(evidenceOf(() => report('POST', create, refuse)).provesUnsent(refused)).toBe(true);
});

test('a wrapper that may drop the signal never shows that a request was dropped', () => {
  const evidence = evidenceOf(() => report('POST', create));
  expect(evidence).toMatchObject({ own: 1, open: 1, isDirect: false, showsDropped: false });
});

test('counts the requests of a call, and keeps their errors', () => {
  expect(evidenceOf(() => undefined)).toMatchObject({ made: 0, written: 0, open: 0, untraced: 0, errors: [] });
  const evidence = evidenceOf(() => {
    report('POST', create, write, refuse);
    report('POST', create);
    startHttp();
    startHttp2();
  });
  expect(evidence).toMatchObject({ made: 2, written: 1, open: 1, untraced: 2, errors: [refused] });
});

test.each([
  ['the same method and address', { method: 'POST', path }, 1],
  ['another method', { method: 'GET', path }, 0],
  ['another address', { method: 'POST', path: '/v1/traces' }, 0],
])('a request with %s is a copy of the original: %s', (_, request, copies) => {
  const evidence = evidenceOf(() => {
    create(request);
    write(request);
  });
  expect(evidence).toMatchObject({ written: 1, copies });
});

test("a call within another's fetch counts for both", () => {
  let inner: RequestEvidence | undefined;
  const outer = evidenceOf(() => {
    inner = evidenceOf(() => {
      report('POST', create, write, refuse);
      startHttp();
    });
  });
  const counts = { made: 1, written: 1, open: 0, untraced: 1, copies: 1, errors: [refused] };
  expect([inner, outer]).toMatchObject([counts, counts]);
});

test('a request after the end of an attempt counts only for the attempts around it', () => {
  const inner = new RequestEvidence('POST', url);
  let sendLate = (): void => undefined;
  const outer = evidenceOf(() =>
    observeRequests(
      inner,
      async () => {
        sendLate = AsyncResource.bind(() => report('POST', create, write));
        return new Response();
      },
      url,
      {},
    ),
  );
  inner.end();
  sendLate();
  expect([inner, outer]).toMatchObject([
    { made: 0, written: 0 },
    { made: 1, written: 1 },
  ]);
});

test('a poller whose attempts start in the contexts of earlier ones does not keep them', async () => {
  const first = new RequestEvidence('POST', url);
  let last = first;
  /** A poller: the next attempt starts in the context of the one before. */
  const poll = async (count: number): Promise<Response> => {
    if (count === 0) {
      report('POST', create, refuse);
      return new Response();
    }
    const evidence = new RequestEvidence('POST', url);
    await Promise.resolve();
    const before = last;
    last = evidence;
    const response = observeRequests(evidence, () => poll(count - 1), url, {});
    before.end();
    return response;
  };
  await observeRequests(first, () => poll(20_000), url, {});
  onTestFinished(() => last.end());
  expect(last.made).toBe(1);
  // The attempt before it, and no earlier one.
  expect(last.outer?.outer).toBeUndefined();
});

test('a request within twenty thousand open attempts counts for each', async () => {
  const all: RequestEvidence[] = [];
  const nest = async (count: number): Promise<Response> => {
    await Promise.resolve();
    if (count === 0) {
      report('POST', create, refuse);
      return new Response();
    }
    const evidence = new RequestEvidence('POST', url);
    all.push(evidence);
    return observeRequests(evidence, () => nest(count - 1), url, {});
  };
  await nest(20_000);
  expect(all.filter(({ made }) => made !== 1)).toEqual([]);
  for (const evidence of all) evidence.end();
  expect(all.filter(({ outer }) => outer)).toEqual([]);
});

test('requests of the program outside of calls are ignored', async () => {
  const watched = watchProcess();
  const evidence = evidenceOf(() => undefined);
  report('POST', create, write, refuse);
  startHttp();
  startHttp2();
  undici('client:connectError', { error: 'of a custom connect' });
  await watched.settled();
  expect(watched.problems).toEqual([]);
  expect(evidence).toMatchObject({ made: 0, written: 0, untraced: 0, errors: [] });
});

let copies = 0;

/** A new copy of the module, which runs on a platform with only these modules. */
async function copyWith(modules: Modules): Promise<Copy> {
  copies += 1;
  const address = new URL(`../../../src/client/core/evidence.ts?copy=${copies}`, import.meta.url);
  const copy: Copy = await import(address.href);
  vi.spyOn(process, 'getBuiltinModule').mockImplementation((name) => Reflect.get(modules, name));
  return copy;
}

const hooks = process.getBuiltinModule('node:async_hooks');
const channels = process.getBuiltinModule('node:diagnostics_channel');

test.each<[string, Modules]>([
  ['any modules of Node', {}],
  ['diagnostics channels', { 'node:async_hooks': hooks }],
  ['subscriptions to diagnostics channels', { 'node:async_hooks': hooks, 'node:diagnostics_channel': { channel } }],
  ['contexts', { 'node:diagnostics_channel': channels }],
])('on a platform without %s, calls fetch and proves nothing', async (_, modules) => {
  const { observeRequests, RequestEvidence } = await copyWith(modules);
  const evidence = new RequestEvidence('POST', url);
  const response = new Response();
  const fetch = async () => {
    report('POST', create, refuse);
    return response;
  };
  expect(await observeRequests(evidence, fetch, url, {})).toBe(response);
  evidence.end();
  expect(evidence).toMatchObject({ made: 0, errors: [], showsDropped: false });
  expect(evidence.provesUnsent(refused)).toBe(false);
});

test('proves nothing while an HTTP/2 connection may hide writes, as those of undici 6, whatever other copies report', () => {
  const sockets = [{ alpnProtocol: 'h2' }, { alpnProtocol: 'h2' }] as const;
  const evidence = evidenceOf(() => report('POST', create, refuse));
  expect(evidence.provesUnsent(refused)).toBe(true);
  for (const socket of sockets) undici('client:connected', { socket });
  for (const socket of sockets) {
    expect(evidence.provesUnsent(refused)).toBe(false);
    undici('client:sendHeaders', { request: { method: 'GET', path: '/other' }, socket });
  }
  expect(evidence.provesUnsent(refused)).toBe(true);
});

test('a request of node:http2 with the same method and path may be that of the attempt', () => {
  const evidence = evidenceOf(() => report('POST', create, refuse));
  new AsyncResource('queue').runInAsyncScope(() =>
    channel('http2.client.stream.created').publish({ headers: { ':method': 'POST', ':path': path } }),
  );
  expect(evidence.provesUnsent(refused)).toBe(false);
});
