import { channel } from 'node:diagnostics_channel';
import { expect, test, vi } from 'vitest';
import { observeRequests, RequestEvidence } from '../../../src/client/core/request-evidence.ts';
import { watchProcess } from '../outcomes/support.ts';

type Copy = typeof import('../../../src/client/core/request-evidence.ts');
type Modules = { 'node:diagnostics_channel'?: object; 'node:async_hooks'?: object };

const url = 'https://api.example.com/v1/boards?limit=1';
const path = '/v1/boards?limit=1';
const refused = new Error('connect ECONNREFUSED');

const undici = (event: string, message: object): void => channel(`undici:${event}`).publish(message);
const create = (request: object): void => undici('request:create', { request });
const write = (request: object): void => undici('client:sendHeaders', { request });
const fail = (request: object): void => undici('request:error', { request, error: refused });
const startHttp = (): void => channel('http.client.request.start').publish({});
const startHttp2 = (): void => channel('http2.client.stream.created').publish({});

/** A request, through all of its events. */
function report(method: string, ...events: ((request: object) => void)[]): void {
  const request = { method, path };
  for (const event of events) event(request);
}

function evidenceOf(fetch: () => void): RequestEvidence {
  const evidence = new RequestEvidence('POST', url);
  observeRequests(evidence, fetch);
  return evidence;
}

test.each<[string, boolean, () => void]>([
  ['no request', false, () => undefined],
  ['a request that failed before it was written', true, () => report('POST', create, fail)],
  ['a request that is still connecting', false, () => report('POST', create)],
  [
    'a request that is still connecting beside one that failed',
    false,
    () => {
      report('POST', create);
      report('POST', create, fail);
    },
  ],
  ['a request that failed after it was written', false, () => report('POST', create, write, fail)],
  [
    'a request of node:http beside one that failed',
    false,
    () => {
      startHttp();
      report('POST', create, fail);
    },
  ],
  [
    'a request of node:http2 beside one that failed',
    false,
    () => {
      startHttp2();
      report('POST', create, fail);
    },
  ],
  ['only a tunnel through a proxy', false, () => report('CONNECT', create, fail)],
  [
    'a request that failed after the request for its tunnel was written',
    true,
    () => {
      report('CONNECT', create, write);
      report('POST', create, fail);
    },
  ],
])('%s proves that nothing was sent: %s', (_, expected, fetch) => {
  expect(evidenceOf(fetch).showsUnsent).toBe(expected);
});

test('counts the requests of a call, and keeps their errors', () => {
  expect(evidenceOf(() => undefined)).toMatchObject({ made: 0, written: 0, open: 0, untraced: 0, errors: [] });
  const evidence = evidenceOf(() => {
    report('POST', create, write, fail);
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
      report('POST', create, write, fail);
      startHttp();
    });
  });
  const counts = { made: 1, written: 1, open: 0, untraced: 1, copies: 1, errors: [refused] };
  expect([inner, outer]).toMatchObject([counts, counts]);
});

test('requests of the program outside of calls are ignored', async () => {
  const watched = watchProcess();
  const evidence = evidenceOf(() => undefined);
  report('POST', create, write, fail);
  startHttp();
  startHttp2();
  await watched.settled();
  expect(watched.problems).toEqual([]);
  expect(evidence).toMatchObject({ made: 0, written: 0, untraced: 0, errors: [] });
});

let copies = 0;

/** A new copy of the module, which runs on a platform with only these modules. */
async function copyWith(modules: Modules): Promise<Copy> {
  copies += 1;
  const address = new URL(`../../../src/client/core/request-evidence.ts?copy=${copies}`, import.meta.url);
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
  const answer = observeRequests(evidence, () => {
    report('POST', create, fail);
    return 'answer';
  });
  expect(answer).toBe('answer');
  expect(evidence).toMatchObject({ made: 0, errors: [], showsUnsent: false });
});
