import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  AuthenticationError,
  isApiError,
  isNotFoundError,
  NotFoundError,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from '../../src/core/errors/api-error.ts';
import { apiError, isFailureBody } from '../../src/core/failure.ts';
import { createRedactor } from '../../src/core/redact.ts';

const failed = (status: number, body: unknown, secrets: string[] = []) =>
  apiError({
    key: 'GET /deals/{dealId}',
    operationId: 'getDeal',
    response: new Response(null, { status }),
    body,
    clean: createRedactor(secrets).clean,
  });

test.each([[{ result: false }], [{ data: { result: false, error: 'x' } }], [{ message: '3093', error_code: 422 }]])(
  '%j is a failure whatever its status',
  (body) => {
    expect(isFailureBody(body)).toBe(true);
  },
);

test.each([
  [{ result: true }],
  [{ data: { result: true } }],
  [[]],
  [null],
  ['text'],
  [{ message: 'a note' }],
  [undefined],
])('%j is no failure by itself', (body) => {
  expect(isFailureBody(body)).toBe(false);
});

test('a failed campaign keeps the real status, and its code is the number in message', () => {
  const error = failed(200, { message: '3093', error_code: 422 });
  expect(error).toMatchObject({ status: 200, code: '3093', operationId: 'getDeal', sent: 'yes' });
});

test.each([
  [401, AuthenticationError],
  [404, NotFoundError],
  [422, UnprocessableEntityError],
  [429, RateLimitError],
  [503, ServerError],
])('status %i is told by its class', (status, ErrorClass) => {
  const error = failed(status, {});
  expect(error).toBeInstanceOf(ErrorClass);
  expect(error.name).toBe(ErrorClass.name);
});

test('the message tells operation and status, and what the server said', () => {
  expect(failed(404, { message: 'No such deal' }).message).toBe(
    'GET /deals/{dealId} (getDeal) failed with HTTP status 404: No such deal',
  );
});

test('a secret that the server repeats is redacted, control characters go, and a long message is cut', () => {
  const { message } = failed(400, { message: `bad token s3cr3t\r\n${'x'.repeat(1000)}` }, ['s3cr3t']);
  expect(message).toContain('bad token [redacted] x');
  expect(message).not.toMatch(/s3cr3t|[\r\n]/);
  expect(message.length).toBeLessThan(400);
});

test('body and headers are there, and no output shows them', () => {
  const error = failed(422, { email: 'ann.kowal@example.com' });
  expect(error.body).toEqual({ email: 'ann.kowal@example.com' });
  expect(error.headers).toBeInstanceOf(Headers);
  for (const output of [
    inspect(error, { depth: 9 }),
    JSON.stringify(error),
    String(error),
    JSON.stringify({ ...error }),
  ]) {
    expect(output).not.toContain('ann.kowal');
  }
});

test('guards know errors of another copy of the package by brand and name', () => {
  const foreign = Object.assign(new Error('x'), { name: 'NotFoundError', [Symbol.for('carillon.error')]: true });
  expect(isNotFoundError(foreign) && isApiError(foreign)).toBe(true);
  expect(isNotFoundError(Object.assign(new Error('x'), { name: 'NotFoundError' }))).toBe(false);
});
