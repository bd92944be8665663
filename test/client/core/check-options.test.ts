import { expect, test } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { createTracing } from '../../../src/client/otel.ts';
import { createQuery } from '../../../src/client/query/index.ts';
import { createResponseValidator } from '../../../src/client/validate.ts';

const api = createClient({ baseUrl: 'https://api.example.com', auth: null });

test.each<[string, (...args: never) => unknown, unknown[], string]>([
  [
    'createResponseValidator',
    createResponseValidator,
    [{ onInvalidd: 'throw' }],
    'onInvalidd. Did you mean onInvalid?',
  ],
  ['createTracing', createTracing, [{ propagat: true }], 'propagat. Did you mean propagate?'],
  ['createQuery', createQuery, [api, { prefx: [] }], 'prefx. Did you mean prefix?'],
])('%s throws for an unknown option', async (_, open, args, told) => {
  const error = await Promise.resolve()
    .then(() => Reflect.apply(open, undefined, args))
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ConfigError', message: expect.stringContaining(`There is no option ${told}`) });
});

/** Options of programs without types. */
const wrong = (value: unknown): never => value as never;
const client = { baseUrl: 'https://api.example.com', auth: { apiKey: 'key' } };

test.each<[string, () => unknown, RegExp]>([
  ['createResponseValidator(null)', () => createResponseValidator(wrong(null)), /^Options must be an object/],
  ['createResponseValidator(5)', () => createResponseValidator(wrong(5)), /^Options must be an object/],
  ["onInvalid: 'trow'", () => createResponseValidator({ onInvalid: wrong('trow') }), /'report' or 'throw'/],
  ['createTracing(null)', () => createTracing(wrong(null)), /^Options must be an object/],
  ["propagate: 'false'", () => createTracing({ propagate: wrong('false') }), /propagate must be true or false/],
  ['createQuery(null)', () => createQuery(wrong(null)), /createQuery needs a client/],
  ['createQuery(api, null)', () => createQuery(api, wrong(null)), /^Options must be an object/],
  ["prefix: 'acc'", () => createQuery(api, { prefix: wrong('acc') }), /prefix must be a list/],
  ['withOptions(5)', () => api.withOptions(wrong(5)), /withOptions needs an options object/],
  ...['allowInsecureHttp', 'trustConnectErrors', 'showBodies', 'replayCreates'].map(
    (name): [string, () => unknown, RegExp] => [
      `${name}: 'false'`,
      () => createClient({ ...client, [name]: 'false' }),
      new RegExp(`${name} must be true or false`),
    ],
  ),
  [
    "allowBrowser: 'false'",
    () => createClient({ ...client, auth: { apiKey: 'key', allowBrowser: wrong('false') } }),
    /auth.allowBrowser must be true or false/,
  ],
  ['validate: false', () => createClient({ ...client, validate: wrong(false) }), /validate must be an object/],
  [
    'a validator with another onInvalid',
    () => createClient({ ...client, validate: { check: () => [], onInvalid: wrong('trow') } }),
    /'report' or 'throw'/,
  ],
  [
    'getToken with a misspelt neighbour',
    () => createClient({ ...client, auth: wrong({ getToken: () => 'key', apiKy: 'key' }) }),
    /There is no option auth\.apiKy/,
  ],
  [
    'a tokenStore that is an address',
    () => createClient({ ...client, auth: { clientId: 'id', clientSecret: 's3cret', tokenStore: wrong('redis://x') } }),
    /auth\.tokenStore must be an object with a get function/,
  ],
  ['inherited options', () => createClient(Object.create(client)), /baseUrl|auth/],
])('%s is a ConfigError', (_, open, message) => {
  expect(open).toThrow(expect.objectContaining({ name: 'ConfigError', message: expect.stringMatching(message) }));
});
