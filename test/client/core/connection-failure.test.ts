import { expect, test } from 'vitest';
import { causesOf, failedToConnect, readConnectionFailure } from '../../../src/client/core/connection-failure.ts';

/** A connection failure as `fetch` reports it. */
const failure = (code: string, message: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

test.each([
  ['UNSPECIFIED', 'EE certificate key too weak', 'not accepted: EE certificate key too weak', true],
  ['PATH_LENGTH_EXCEEDED', 'path length exceeded', 'not accepted: path length exceeded', true],
  ['CERT_HAS_EXPIRED', 'certificate has expired', 'the certificate of the server has expired', true],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'alert 48', 'the server refused the TLS connection', false],
  ['ECONNRESET', 'read ECONNRESET', 'the connection was reset', false],
  ['constructor', 'an unknown code', 'an unknown code', false],
])('describes %s, and whether a retry would fail, too', (code, message, reason, isFinal) => {
  const read = readConnectionFailure(failure(code, message));
  expect(read).toMatchObject({ code, isFinal });
  expect(read.reason).toContain(reason);
});

test.each([
  ['Proxy response (407) !== 200 when HTTP Tunneling', 'the proxy refused the connection with HTTP status 407', true],
  ['Proxy response (502) !== 200 when HTTP Tunneling', 'the proxy refused the connection with HTTP status 502', false],
  ['Proxy response (503) !== 200 when HTTP Tunneling', 'the proxy refused the connection with HTTP status 503', false],
  ['Proxy Authentication Required (407)', 'the proxy refused the connection with HTTP status 407', true],
  ['bad port', 'the platform blocks this port', true],
])('describes %s, which has no code of its own, and whether a retry would fail, too', (message, reason, isFinal) => {
  expect(readConnectionFailure(failure('UND_ERR_ABORTED', message))).toMatchObject({ reason, isFinal });
});

const coded = (code: string, cause?: unknown): Error =>
  Object.assign(new Error(`failed: ${code}`, { cause }), { code });

test.each([
  ['the only code that it knows', coded('ERR_OUTER', coded('ECONNRESET')), 'ECONNRESET'],
  ['a code of a rejected certificate', coded('ERR_OUTER', coded('CERT_REVOKED')), 'CERT_REVOKED'],
  ['the outermost of several that it knows', coded('EPIPE', coded('ECONNRESET')), 'EPIPE'],
  ['the outermost of several that it does not know', coded('ERR_OUTER', coded('ERR_INNER')), 'ERR_OUTER'],
  ['the code of the first address of a host', new AggregateError([coded('EPIPE'), coded('ECONNRESET')]), 'EPIPE'],
])('takes %s', (_, error, code) => {
  expect(readConnectionFailure(error).code).toBe(code);
});

test('without a known code, gives the message of the innermost error', () => {
  const error = new TypeError('fetch failed', { cause: new Error('the cable is unplugged') });
  expect(readConnectionFailure(error)).toEqual({
    code: undefined,
    reason: 'the cable is unplugged',
    isFinal: false,
  });
});

test('a rejection with something other than an error says that no reply came', () => {
  expect(readConnectionFailure('gone')).toEqual({ code: undefined, reason: 'no reply came', isFinal: false });
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
