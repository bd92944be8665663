import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  causesOf,
  failedToConnect,
  readConnectionFailure,
  unusedProxy,
} from '../../../src/client/core/connection-failure.ts';

/** A connection failure as `fetch` reports it. */
const failure = (code: string, message: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

test.each([
  ...['UNSPECIFIED', 'PATH_LENGTH_EXCEEDED', 'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'HOSTNAME_MISMATCH'],
  ...['ERR_TLS_CERT_ALTNAME_INVALID', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'INVALID_CA', 'CRL_HAS_EXPIRED'],
  ...['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_UNSUPPORTED_PROTOCOL'],
])('a retry after %s would fail, too', (code) => {
  expect(readConnectionFailure(failure(code, 'in words'))).toEqual({ code, reason: 'in words', isFinal: true });
});

test.each(['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'ECONNRESET', 'UND_ERR_SOCKET', 'constructor'])(
  'a retry after %s may succeed',
  (code) => {
    expect(readConnectionFailure(failure(code, 'in words'))).toEqual({ code, reason: 'in words', isFinal: false });
  },
);

test.each([
  ['Proxy response (407) !== 200 when HTTP Tunneling', 'the proxy rejected the connection with HTTP status 407', true],
  ['Proxy response (502) !== 200 when HTTP Tunneling', 'the proxy rejected the connection with HTTP status 502', false],
  ['Proxy response (503) !== 200 when HTTP Tunneling', 'the proxy rejected the connection with HTTP status 503', false],
  ['Proxy Authentication Required (407)', 'the proxy rejected the connection with HTTP status 407', true],
  ['bad port', 'bad port', true],
])('describes %s, which has no code of its own, and whether a retry would fail, too', (message, reason, isFinal) => {
  expect(readConnectionFailure(failure('UND_ERR_ABORTED', message))).toMatchObject({ reason, isFinal });
});

const coded = (code: string, cause?: unknown): Error =>
  Object.assign(new Error(`failed: ${code}`, { cause }), { code });

test.each([
  ['the innermost of several codes', coded('ERR_OUTER', coded('ECONNRESET')), 'ECONNRESET'],
  ['a code above an error without one', coded('ERR_OUTER', new Error('inner')), 'ERR_OUTER'],
  ['the code of the first address of a host', new AggregateError([coded('EPIPE'), coded('ECONNRESET')]), 'EPIPE'],
])('takes %s', (_, error, code) => {
  expect(readConnectionFailure(error).code).toBe(code);
});

test('without a code, gives the message of the innermost error', () => {
  const error = new TypeError('fetch failed', { cause: new Error('the cable is unplugged') });
  expect(readConnectionFailure(error)).toEqual({
    code: undefined,
    reason: 'the cable is unplugged',
    isFinal: false,
  });
});

test('a rejection with something other than an error says that there was no response', () => {
  expect(readConnectionFailure('gone')).toEqual({ code: undefined, reason: 'there was no response', isFinal: false });
});

test('reads causes that refer back to each other', () => {
  const error = coded('ERR_OUTER');
  error.cause = error;
  expect(readConnectionFailure(error).code).toBe('ERR_OUTER');
  expect(causesOf(error)).toHaveLength(6);
});

test('does not read errors more than six levels deep', () => {
  let error = coded('ECONNREFUSED');
  for (let level = 1; level < 6; level += 1) error = new Error('outer', { cause: error });
  expect([causesOf(error).length, failedToConnect(error)]).toEqual([6, true]);
  const deeper = new Error('outer', { cause: error });
  expect([causesOf(deeper).length, failedToConnect(deeper)]).toEqual([6, false]);
});

describe('a proxy of the environment', () => {
  const url = 'https://api.example.com';
  const key = Symbol.for('undici.globalDispatcher.1');
  class Agent {}
  class EnvHttpProxyAgent {}
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });

  test.each([
    ['HTTPS_PROXY', url, new Agent(), '; HTTPS_PROXY is set, but fetch does not use it'],
    ['https_proxy', url, new Agent(), '; HTTPS_PROXY is set, but fetch does not use it'],
    ['HTTPS_PROXY', url, new EnvHttpProxyAgent(), ''],
    ['HTTPS_PROXY', 'http://127.0.0.1:4012', new Agent(), ''],
    ['OTHER_PROXY', url, new Agent(), ''],
  ])('%s for %s with %o: %j', (name, address, dispatcher, hint) => {
    for (const one of ['HTTPS_PROXY', 'https_proxy']) vi.stubEnv(one, undefined);
    vi.stubEnv(name, 'http://proxy.example.com:3128');
    const before: unknown = Reflect.get(globalThis, key);
    Reflect.set(globalThis, key, dispatcher);
    const found = unusedProxy(address);
    Reflect.set(globalThis, key, before);
    expect(found).toBe(hint);
  });

  test.each([[undefined], [{}]])('is not looked for in a process that is %j', (process) => {
    vi.stubGlobal('process', process);
    const hint = unusedProxy(url);
    vi.unstubAllGlobals();
    expect(hint).toBe('');
  });
});
