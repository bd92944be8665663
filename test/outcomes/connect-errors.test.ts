import { expect, test, vi } from 'vitest';
import { closedPort, reply, serve } from '../support/fault-server.ts';
import { clientOf, failureOf, refusal } from './support.ts';

const done = reply({ data: { id: 501 } });

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
