import { expect, test, vi } from 'vitest';
import { closedPort, type Fault, reply, reset, serve, status } from '../support/fault-server.ts';
import { clientOf, failureOf, refusal, silent } from './support.ts';

const deal = { dealId: 501 };
const done = reply({ data: { id: 501 } });

/** Returns these tokens in turn; throws the errors among them. */
function tokens(...given: (string | Error)[]) {
  return {
    getToken: () => {
      const next = given.length > 1 ? given.shift() : given[0];
      if (next instanceof Error) throw next;
      return next ?? '';
    },
  };
}

test.each<[string, Fault]>([
  ['an answered 500', status(500)],
  ['a lost reply', reset],
])('after %s, a token that cannot be obtained reports sent: maybe', async (_, first) => {
  const { url, received } = await serve(first);
  const auth = tokens('token', new Error('vault sealed'));
  const error = await failureOf(clientOf(url, { auth }).crm.deals.delete(deal));
  expect(error).toMatchObject({ name: 'TokenError', sent: 'maybe', tries: 1 });
  expect(received).toHaveLength(1);
});

test('a token that cannot be obtained for the first try leaves nothing open', async () => {
  const { url } = await serve(done);
  const error = await failureOf(clientOf(url, { auth: tokens(new Error('vault sealed')) }).crm.deals.get(deal));
  expect(error).toMatchObject({ name: 'TokenError', sent: 'no', tries: 0 });
});

test.each<[string, Fault[], object]>([
  ['lost, then refused', [reset, status(403)], { name: 'PermissionDeniedError', sent: 'maybe' }],
  ['503, then refused', [status(503), status(422)], { name: 'UnprocessableEntityError', sent: 'maybe' }],
  ['429, then refused', [status(429), status(422)], { name: 'UnprocessableEntityError', sent: 'yes' }],
  ['refused', [status(422)], { name: 'UnprocessableEntityError', sent: 'yes' }],
])('a DELETE that was %s reports sent for all its tries', async (_, faults, expected) => {
  const { url } = await serve(...faults);
  expect(await failureOf(clientOf(url).crm.deals.delete(deal))).toMatchObject(expected);
});

test.each([502, 504])('a DELETE answered %i and then 404 counts as done', async (code) => {
  const { url, received } = await serve(status(code), status(404));
  expect(await clientOf(url).crm.deals.delete(deal)).toBeUndefined();
  expect(received).toHaveLength(2);
});

test.each([500, 503])(
  'a DELETE answered %i by the service and then 404 fails, and may have been processed',
  async (code) => {
    const { url, received } = await serve(status(code), status(404));
    const error = await failureOf(clientOf(url).crm.deals.delete(deal));
    expect(error).toMatchObject({ name: 'NotFoundError', sent: 'maybe', tries: 2 });
    expect(received).toHaveLength(2);
  },
);

test('a call is replayed once after a 401, whatever happens in between', async () => {
  let issued = 0;
  const getToken = () => {
    issued += 1;
    return `token-${issued}`;
  };
  const { url, received } = await serve(status(401), status(503), status(401), status(503), done);
  const error = await failureOf(clientOf(url, { auth: { getToken }, maxRetries: 9 }).crm.deals.get(deal));
  expect(error).toMatchObject({ name: 'AuthenticationError', sent: 'maybe', tries: 3 });
  expect(received).toHaveLength(3);
});

test.each<[string, boolean | undefined, 'no' | 'maybe', number]>([
  ['not trusted', undefined, 'maybe', 1],
  ['not trusted if an option says so', false, 'maybe', 1],
  ['trusted if an option says so', true, 'no', 3],
])('a connect error of a custom fetch is %s', async (_, trustConnectErrors, sent, requests) => {
  const { url, received } = await serve(done);
  // Two hops: the first one delivers the request, the second one is refused.
  const twoHops = async (input: string, init: RequestInit): Promise<Response> => {
    await fetch(input, init);
    throw refusal();
  };
  const api = clientOf(url, { fetch: twoHops, ...(trustConnectErrors !== undefined && { trustConnectErrors }) });
  const error = await failureOf(api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' }));
  expect(error).toMatchObject({ name: 'ConnectionError', sent });
  expect(received).toHaveLength(requests);
});

test("a connect error of the platform's own fetch is trusted, also if it is given as the option", async () => {
  for (const options of [{}, { fetch: globalThis.fetch }]) {
    const error = await failureOf(clientOf(await closedPort(), { ...options }).crm.boards.create({ name: 'Tasks' }));
    expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', tries: 3 });
  }
});

test.each([
  ['Agent', 'no'],
  ['RetryAgent', 'maybe'],
])(
  'dispatchers as in Node 26, where a wrapper has an %s: a connect error tells that it was sent: %s',
  async (name, sent) => {
    const url = await closedPort();
    await failureOf(fetch(url));
    const [first, second] = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
    if (!first || !second) throw new Error('There are two dispatchers');
    const before = { first: Reflect.get(globalThis, first), second: Reflect.get(globalThis, second) };
    class Dispatcher1Wrapper {
      dispatch(options: object, handler: object): boolean {
        return before.first.dispatch(options, handler);
      }
    }
    const Inner = { [name]: class extends before.first.constructor {} }[name];
    Reflect.set(globalThis, first, new Dispatcher1Wrapper());
    Reflect.set(globalThis, second, Inner && new Inner());
    try {
      const error = await failureOf(clientOf(url, { maxRetries: 0 }).crm.boards.create({ name: 'Tasks' }));
      expect(error).toMatchObject({ name: 'ConnectionError', sent });
    } finally {
      Reflect.set(globalThis, first, before.first);
      if (before.second) Reflect.set(globalThis, second, before.second);
      else Reflect.deleteProperty(globalThis, second);
    }
  },
);

test('a global fetch that was replaced is a custom one', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(refusal()));
  const call = failureOf(clientOf('https://api.example.com').crm.boards.create({ name: 'Tasks' }));
  expect(await call).toMatchObject({ sent: 'maybe', tries: 1 });
  vi.unstubAllGlobals();
});

test.each(['another class', 'a composed dispatcher'])(
  'a global dispatcher that is %s is a custom fetch',
  async (kind) => {
    const key = Symbol.for('undici.globalDispatcher.1');
    const { url, received } = await serve(done);
    await fetch(url).then((response) => response.text());
    const before = Reflect.get(globalThis, key);
    const dispatch = (options: object, handler: object): boolean => {
      // Delivers the request, loses the reply, and reports that its second try was refused.
      const lost = new Proxy(handler, {
        get(target, name) {
          if (name === 'onHeaders') return () => Reflect.get(target, 'onError').call(target, refusal().cause);
          return ['onData', 'onComplete', 'onError'].includes(String(name)) ? () => true : Reflect.get(target, name);
        },
      });
      return before.dispatch(options, lost);
    };
    class RetryAgent extends before.constructor {
      dispatch = dispatch;
    }
    const composed = new Proxy(before, { get: (target, name) => (name === 'dispatch' ? dispatch : target[name]) });
    Reflect.set(globalThis, key, kind === 'another class' ? new RetryAgent() : composed);
    try {
      const error = await failureOf(clientOf(url).crm.boards.create({ name: 'Tasks' }));
      expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe', tries: 1 });
      expect(received).toHaveLength(2);
    } finally {
      Reflect.set(globalThis, key, before);
    }
  },
);

test('an abort rejects with its reason, untouched, and the call reports what was sent', async () => {
  const reason = Object.freeze(new Error('The user left'));
  const controller = new AbortController();
  const { url } = await serve(() => controller.abort(reason));
  const call = clientOf(url).crm.boards.create({ name: 'Tasks' }, { signal: controller.signal });
  expect(await failureOf(call)).toBe(reason);
  expect(call.sent).toBe('maybe');
  const byPath = clientOf(url).crm.GET('/users', { signal: AbortSignal.abort(reason) });
  expect(await failureOf(byPath)).toBe(reason);
  expect(byPath.sent).toBe('no');
});

test.each([[null], [0], [''], [false]])(
  'a call that is aborted with %j rejects with it, and was not done',
  async (reason) => {
    const before = clientOf('http://127.0.0.1').crm.boards.create({ name: 'x' }, { signal: AbortSignal.abort(reason) });
    expect(await failureOf(before)).toBe(reason);
    expect(before.sent).toBe('no');
    const controller = new AbortController();
    const { url } = await serve(() => controller.abort(reason));
    const during = clientOf(url).crm.boards.create({ name: 'x' }, { signal: controller.signal });
    expect(await failureOf(during)).toBe(reason);
    expect(during.sent).toBe('maybe');
  },
);

test('a hook that rejects with nothing fails the call, which was not sent', async () => {
  const call = clientOf('http://127.0.0.1', { middleware: [{ onRequest: () => Promise.reject() }] }).crm.users.list();
  expect(await failureOf(call)).toBeUndefined();
  expect(call.sent).toBe('no');
});

test('the call and the end hook tell what was sent, however the call ends', async () => {
  const ended: unknown[] = [];
  const middleware = [{ onEnd: (call: object) => void ended.push(call) }];
  const { url } = await serve(reset, done, status(422), status(503));
  const api = clientOf(url, { middleware });
  const first = api.crm.deals.update({ dealId: 501, pipelineId: 1, stepId: 11, name: 'Renewal', price: 1, status: 1 });
  await first;
  const second = api.crm.boards.create({ name: 'Tasks' });
  const refused = await failureOf(second);
  const third = api.crm.boards.create({ name: 'Tasks' });
  await failureOf(third);
  expect([first.sent, second.sent, third.sent]).toEqual(['yes', 'yes', 'yes']);
  expect(ended).toMatchObject([
    { operationId: 'updateDeal', operation: 'PUT /deals/{dealId}', tries: 2, sent: 'yes', error: undefined },
    { operationId: 'createBoard', tries: 1, sent: 'yes', error: refused },
    { operationId: 'createBoard', tries: 1, sent: 'yes', error: { name: 'ServerError' } },
  ]);
});

const own = new Error('from the hook');
const fail = (): never => {
  throw own;
};
test.each([
  ['onResponse', { onResponse: fail }],
  ['onResponse, later', { onResponse: () => Promise.reject(own) }],
  ['onStart', { onStart: fail }],
  ['onStart, later', { onStart: () => Promise.reject(own) }],
  ['onEnd', { onEnd: fail }],
  ['onEnd, later', { onEnd: () => Promise.reject(own) }],
])('a hook that throws in %s does not hide what the service answered', async (_, hook) => {
  const warn = vi.fn();
  const { url } = await serve(done);
  const api = clientOf(url, { middleware: [hook], logger: { warn } });
  expect(await api.crm.boards.create({ name: 'Tasks' })).toEqual({ id: 501 });
  await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^carillon: .*middleware/)));
});

test('a hook that throws in onError does not hide that a reply was lost', async () => {
  const { url } = await serve(reset);
  const api = clientOf(url, { middleware: [{ onError: fail }] });
  expect(await failureOf(api.crm.boards.create({ name: 'Tasks' }))).toMatchObject({
    name: 'ConnectionError',
    sent: 'maybe',
  });
});

test('an error that onRequest throws before another try fails the call unchanged, and the call reports whether it was processed', async () => {
  const { url } = await serve(status(503));
  const api = clientOf(url, {
    middleware: [{ onRequest: ({ attempt }: { attempt: number }) => (attempt === 1 ? fail() : undefined) }],
  });
  const call = api.crm.deals.delete(deal);
  expect(await failureOf(call)).toBe(own);
  expect(call.sent).toBe('maybe');
});

test.each([
  ['at once', fail],
  ['later', () => Promise.reject(own)],
])('a logger that throws %s hides no outcome', async (_, log) => {
  const { url } = await serve(status(503), reply({ other: 1 }));
  const api = clientOf(url, { logger: { ...silent, warn: log, debug: log } });
  expect(await api.crm.deals.get(deal)).toEqual({ other: 1 });
});
