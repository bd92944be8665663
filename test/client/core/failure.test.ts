import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  NotFoundError,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from '../../../src/client/core/errors/api-error.ts';
import { isCarillonError } from '../../../src/client/core/errors/is-carillon-error.ts';
import { ConfigError } from '../../../src/client/core/errors/local-errors.ts';
import { apiError, isFailureBody } from '../../../src/client/core/read.ts';
import { Redactor } from '../../../src/client/core/redact.ts';

const failed = (status: number, body: unknown, secrets: string[] = []) =>
  apiError({
    label: 'GET /deals/{dealId} (getDeal)',
    response: new Response(null, { status }),
    body,
    redactor: new Redactor(secrets),
  });

test.each([[{ result: false }], [{ data: { result: false, error: 'x' } }], [{ message: '3093', error_code: 422 }]])(
  '%j is a failure, whatever its status',
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
])('%j alone is not a failure', (body) => {
  expect(isFailureBody(body)).toBe(false);
});

test('a failed campaign keeps its real status, and its code is the number in message', () => {
  const error = failed(200, { message: '3093', error_code: 422 });
  expect(error).toMatchObject({ status: 200, code: '3093', sent: 'yes' });
});

test.each([
  [401, AuthenticationError],
  [404, NotFoundError],
  [422, UnprocessableEntityError],
  [429, RateLimitError],
  [503, ServerError],
])('status %i has its own error class', (status, ErrorClass) => {
  const error = failed(status, {});
  expect(error).toBeInstanceOf(ErrorClass);
  expect(error.name).toBe(ErrorClass.name);
});

test('the message names operation and status, and quotes the server', () => {
  expect(failed(404, { message: 'No such deal' }).message).toBe(
    'GET /deals/{dealId} (getDeal) failed with HTTP status 404: No such deal',
  );
});

test('redacts secrets that the server repeats, removes control characters, and shortens a long message', () => {
  const { message } = failed(400, { message: `bad token s3cr3t-k3y\r\n${'x'.repeat(1000)}` }, ['s3cr3t-k3y']);
  expect(message).toContain('bad token [redacted] x');
  expect(message).not.toMatch(/s3cr3t-k3y|[\r\n]/);
  expect(message.length).toBeLessThan(400);
});

test.each<[body: unknown, code: string | undefined, message: string]>([
  [{ message: '3093', error_code: 422 }, '3093', ', code 3093'],
  [{ message: 'Refused', error_code: 42 }, '42', ', code 42: Refused'],
  [{ message: 'Refused', error_code: 'E42' }, 'E42', ', code E42: Refused'],
  [{ message: 3093 }, '3093', ', code 3093'],
  [{ message: 'Error 3093' }, undefined, ': Error 3093'],
  [{ message: '3 errors' }, undefined, ': 3 errors'],
  [{ error_code: { value: 1 } }, undefined, ''],
])('takes from %j the code %s, which the message does not repeat', (body, code, message) => {
  const error = failed(422, body);
  expect(error.code).toBe(code);
  expect(error.message).toBe(`GET /deals/{dealId} (getDeal) failed with HTTP status 422${message}`);
});

test.each([
  [{ message: 'a', detail: 'b' }, 'a'],
  [{ detail: 'a', error_description: 'b' }, 'a'],
  [{ error_description: 'a', error: 'b' }, 'a'],
  [{ error: 'a', data: { error: 'b' } }, 'a'],
  [{ data: { error: 'a', message: 'b' } }, 'a'],
  [{ data: { message: 'a' } }, 'a'],
  [{ message: '', detail: 'a' }, 'a'],
  [{ message: 5, data: 'b' }, undefined],
  ['text', undefined],
])('the service message of %j is %s', (body, expected) => {
  expect(failed(400, body).serviceMessage).toBe(expected);
});

test('the error has body and headers, but no output shows them', () => {
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

describe('isCarillonError', () => {
  const names = ['NotFoundError', 'ApiError', 'RateLimitError'] as const;
  const namesOf = (value: unknown): string[] => names.filter((name) => isCarillonError(value, name));

  test('recognizes an error by its name, and any ApiError as ApiError', () => {
    expect(isCarillonError(failed(404, {}))).toBe(true);
    expect(namesOf(failed(404, {}))).toEqual(['NotFoundError', 'ApiError']);
    expect(namesOf(failed(418, {}))).toEqual(['ApiError']);
    const statuses = [401, 403, 404, 422, 429, 500];
    expect(statuses.filter((status) => !isCarillonError(failed(status, {}), 'ApiError'))).toEqual([]);
    expect(namesOf(new ConfigError('x'))).toEqual([]);
  });

  test('recognizes an error of another copy of the package by its mark and its name', () => {
    const foreign = Object.assign(new Error('x'), { name: 'NotFoundError', [Symbol.for('carillon.error')]: true });
    expect(namesOf(foreign)).toEqual(['NotFoundError', 'ApiError']);
    expect(namesOf(Object.assign(new Error('x'), { name: 'NotFoundError' }))).toEqual([]);
  });

  test.each([undefined, null, 'NotFoundError', 404, () => {}, {}])('does not recognize %j', (value) => {
    expect(isCarillonError(value)).toBe(false);
    expect(namesOf(value)).toEqual([]);
  });

  test('works as an array filter, which passes more arguments', () => {
    const error = failed(404, {});
    expect([new Error('x'), error].filter(isCarillonError)).toEqual([error]);
  });
});
