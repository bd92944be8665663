import { expect, test, vi } from 'vitest';
import {
  type ApiError,
  ArgumentError,
  apiErrorClass,
  ConnectionError,
  RateLimitError,
} from '../../src/client/index.ts';
import { defineJob, JobsError, RowRejectedError } from '../../src/jobs/index.ts';
import { differenceOf } from '../../src/jobs/plan/fingerprint.ts';
import { explain, isRetryable } from '../../src/jobs/store/explain.ts';
import { toStorable, UnstorableError } from '../../src/jobs/store/storable.ts';
import { concernsAll } from '../../src/jobs/work/attempt.ts';
import { canLookUpLater, classifyError, stopReason } from '../../src/jobs/work/classify-error.ts';
import { markerOf, nextStep } from '../../src/jobs/work/steps.ts';

const operationId = 'createContact';

function failure(status: number, sent: 'yes' | 'no' | 'maybe' = 'yes', headers = {}): ApiError {
  const details = {
    status,
    operationId,
    body: null,
    headers: new Headers(headers),
    code: '7',
    serviceMessage: 'No such user',
  };
  return Object.assign(new (apiErrorClass(status))('refused', details), { sent });
}

test.each<[string, unknown, string | undefined, string]>([
  ['a 422 to the request that wrote', failure(422), operationId, 'rejected'],
  ['a 422 to another request after the one that wrote', failure(422), 'assignTag', 'lost'],
  ['a 422 after a try that may have been processed', failure(422, 'maybe'), operationId, 'lost'],
  ['a 500', failure(500), operationId, 'lost'],
  ['a 408', failure(408), operationId, 'lost'],
  ['a lost connection', Object.assign(new ConnectionError('lost', 'maybe'), { operationId }), operationId, 'lost'],
  ['a refused connection', Object.assign(new ConnectionError('rejected', 'no'), { operationId }), operationId, 'later'],
  ['a 429', failure(429, 'no'), operationId, 'wait'],
  ['a 401', failure(401), operationId, 'stop'],
  ['a 403', failure(403), operationId, 'stop'],
  ['an error of the program after the request that wrote', new TypeError('id of undefined'), operationId, 'lost'],
  ['an error of the program before any request that writes', new TypeError('id of undefined'), undefined, 'own'],
  ['a row that the program rejects', new RowRejectedError('no such pipeline'), undefined, 'rejected'],
  ['a 404 to a request that reads', failure(404), undefined, 'rejected'],
  ['a 503 to a request that reads', failure(503), undefined, 'later'],
  ['an invalid value of the call', new ArgumentError('price is NaN', { parameter: 'price' }), undefined, 'rejected'],
  ['an option that does not exist', new ArgumentError('there is no option timeuot'), undefined, 'own'],
])('%s: gives the safe verdict on the row', (_, error, writeOperation, kind) => {
  expect(classifyError(error, writeOperation === undefined ? {} : { writeOperation }).kind).toBe(kind);
});

test('a pause after a 401 or 403 says to check the key or its rights', () => {
  const advice = 'check the key, start the workers with the correct key, and resume the job.';
  expect(classifyError(failure(401), { writeOperation: operationId })).toEqual({
    kind: 'stop',
    reason: `refused. The service does not accept the key: ${advice}`,
  });
  expect(stopReason(failure(403))).toBe(
    "refused. The key does not permit this request: check the key's permissions in the service, and resume the job.",
  );
  expect(stopReason(failure(500))).toBe('refused');
});

test("a rejected row has the service's reason and code, and a 429 has its wait", () => {
  expect(classifyError(failure(422), { writeOperation: operationId })).toEqual({
    kind: 'rejected',
    reason: 'No such user',
    code: '7',
  });
  const busy = failure(429, 'no', { 'retry-after': '7' });
  expect(busy).toBeInstanceOf(RateLimitError);
  expect(classifyError(busy, { writeOperation: operationId })).toEqual({ kind: 'wait', milliseconds: 7_000 });
});

test('a deadline that passes before a request is sent rejects no row, and an error code for all rows stops the job', () => {
  expect(classifyError(new DOMException('The deadline has passed', 'TimeoutError'), { isOver: true })).toEqual({
    kind: 'later',
    all: false,
  });
  const concerns = vi.fn(() => true);
  expect(classifyError(failure(422), { writeOperation: operationId }, concerns)).toMatchObject({ kind: 'stop' });
  expect(concerns).toHaveBeenCalledWith(operationId, '7');
});

test('repeats a lookup only after a failure of the service or connection', () => {
  const errors = [failure(503), new ConnectionError('lost', 'maybe'), failure(422), new TypeError('bug')];
  expect(errors.map(canLookUpLater)).toEqual([true, true, false, false]);
});

test('a marker is a UUID derived only from job, row and step', () => {
  const seed = '8b0b4c1e-0000-4000-8000-000000000000';
  const marker = markerOf(seed, 'c-1', 'contact');
  expect(marker).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(markerOf(seed, 'c-1', 'contact')).toBe(marker);
  const others = [markerOf(seed, 'c-2', 'contact'), markerOf(seed, 'c-1', 'phone'), markerOf(seed, 'c', '-1contact')];
  expect(new Set([marker, ...others]).size).toBe(4);
});

test('the next step is the first applicable one without a result, and a step with `each` counts once per item', () => {
  const send = async () => null;
  const definition = {
    steps: [
      { name: 'contact', send },
      { name: 'phone', send, each: (values: unknown) => (Array.isArray(values) ? values : []) },
      { name: 'note', send, applies: () => false },
    ],
  };
  const values = ['1', '2'];
  expect(nextStep(definition, values, {})?.name).toBe('contact');
  expect(nextStep(definition, values, { contact: 7, 'phone 1': null })).toMatchObject({ name: 'phone 2', index: 1 });
  expect(nextStep(definition, values, { contact: 7, 'phone 1': null, 'phone 2': null })).toBeUndefined();
});

test('a definition with another version or other steps differs from the planned one', () => {
  const planned = { definition: 'contacts', version: 1, steps: ['contact'] };
  expect(differenceOf(planned, { ...planned })).toBeUndefined();
  expect(differenceOf(planned, { ...planned, version: 2 })).toContain('contacts, version 2 (contact)');
  expect(differenceOf(planned, { ...planned, steps: ['contact', 'tag'] })).toContain('(contact, tag)');
});

test.each([
  ['name', { name: 'my job' }],
  ['version', { version: 0 }],
  ['step', { steps: [] }],
  ['deadline', { deadline: -1 }],
  ['deadline', { deadline: 9_999 }],
])('rejects a definition with an invalid %s', (word, wrong) => {
  const step = { name: 'a', send: async () => null };
  const definition = {
    name: 'job',
    version: 1,
    source: () => ({ checksum: async () => '', rows: () => [] }),
    steps: [step],
  };
  expect(() => defineJob({ ...definition, ...wrong })).toThrow(JobsError);
  expect(() => defineJob({ ...definition, ...wrong })).toThrow(word === 'name' ? 'is not a valid job name' : word);
});

test.each([
  ['53100', 'could not extend file', 'The disk of the database server is full', true],
  ['28P01', 'password failed', 'The database rejected the password', true],
  ['3D000', 'no database', 'The database does not exist', true],
  ['42501', 'permission denied', 'The user is not allowed to use or create the tables', false],
  ['XX000', 'unexpected', 'The database failed', true],
  ['ERR_INVALID_ARG_TYPE', 'a mistake', 'The database failed', false],
  ['42703', 'no column', 'do not have the columns that this version expects', false],
  ['57P01', 'terminating connection', 'The database cannot be reached', true],
  ['ECONNREFUSED', 'connect ECONNREFUSED', 'The database cannot be reached', true],
])('explains database error %s in a sentence', (code, message, sentence, waits) => {
  const error = Object.assign(new Error(message), { code });
  expect(explain(error)).toBeInstanceOf(JobsError);
  expect(explain(error).message).toContain(sentence);
  expect(isRetryable(error)).toBe(waits);
});

test('a result with a string of ten million characters is stored, and one that is too deep is invalid', () => {
  const long = { text: `${'x'.repeat(10_000_000)}\\"[{` };
  expect(toStorable(long)).toEqual(long);
  const deepOf = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  expect(toStorable(deepOf(1_000))).toEqual(deepOf(1_000));
  expect(() => toStorable(deepOf(100_000))).toThrow(UnstorableError);
});

test('template error codes concern all parts of a campaign; codes of values, only their own part', () => {
  expect(['3084', '3087', '3088', '1'].map((code) => concernsAll('createCampaign', code))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
