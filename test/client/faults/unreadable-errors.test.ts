import { expect, test } from 'vitest';
import { createClient, isCarillonError } from '../../../src/client/index.ts';

const thrower = (): never => {
  throw new RangeError('raw');
};

/** An error with a getter that throws. */
function withGetter(name: string): Error {
  return Object.defineProperty(new TypeError('fetch failed'), name, { get: thrower });
}

/** A proxy that refuses every access, even `instanceof`. */
const closed = new Proxy(new Error('closed'), {
  get: thrower,
  has: thrower,
  getPrototypeOf: thrower,
  ownKeys: thrower,
  getOwnPropertyDescriptor: thrower,
});

const revoked = Proxy.revocable(new Error('revoked'), {});
revoked.revoke();

const errors: [string, unknown][] = [
  ...['name', 'message', 'code', 'cause', 'errors', 'stack', 'syscall'].map((name): [string, unknown] => [
    `a getter for ${name} that throws`,
    withGetter(name),
  ]),
  ['a cause whose properties throw', new TypeError('fetch failed', { cause: closed })],
  ['errors of an aggregate whose properties throw', new AggregateError([closed, withGetter('code')])],
  ['an aggregate whose errors throw', Object.defineProperty(new AggregateError([]), 'errors', { get: thrower })],
  ['a proxy that throws', closed],
  ['a revoked proxy', revoked.proxy],
  ['a message that is no text', Object.assign(new Error(), { message: { toString: thrower } })],
  ['a symbol', Symbol('failed')],
  ['null', null],
];

const hooks: [string, object][] = [
  ['no hooks', {}],
  ['hooks', { middleware: [{ onError: () => undefined, onEnd: () => undefined }] }],
  ['trustConnectErrors', { trustConnectErrors: true }],
];

test.each(hooks.flatMap(([options, given]) => errors.map(([what, error]) => [what, options, given, error] as const)))(
  'fetch that fails with %s is a ConnectionError, with %s',
  async (_, __, options, error) => {
    const api = createClient({
      baseUrl: 'https://api.example.com',
      auth: { apiKey: 'any' },
      maxRetries: 0,
      fetch: () => Promise.reject(error),
      ...options,
    });
    for (const call of [api.crm.tags.create({ name: 'VIP' }), api.crm.GET('/users')]) {
      const found = await call.then(
        () => expect.unreachable(),
        (reason: unknown) => reason,
      );
      expect(isCarillonError(found, 'ConnectionError') && found.sent).toBe('maybe');
      // Users log it.
      expect(String(found)).toMatch(/lost the connection to api\.example\.com/);
    }
  },
);

test.each(errors)('getToken that fails with %s is a TokenError', async (_, error) => {
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { getToken: () => Promise.reject(error) },
    fetch: () => expect.unreachable(),
  });
  await expect(api.crm.tags.list()).rejects.toMatchObject({ name: 'TokenError', sent: 'no' });
});
