import { expect, test } from 'vitest';
import { readConnectionFailure } from '../../../src/client/core/connection-failure.ts';

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
])('describes %s, and whether the client refused the server', (code, message, reason, isRefused) => {
  const read = readConnectionFailure(failure(code, message));
  expect(read).toMatchObject({ code, isRefusedByClient: isRefused });
  expect(read.reason).toContain(reason);
});
