import { describe, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { failureOf } from '../outcomes/support.ts';

/** A client that records the headers of its requests. Arguments of untyped programs have the type `never`. */
function sending(data: object = []) {
  const sent: Headers[] = [];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    fetch: async (_, { headers }) => {
      sent.push(new Headers(headers));
      return Response.json({ data });
    },
  });
  return { api, sent };
}

const from = (value: unknown): never => value as never;

test('names the field that cannot be read, not those before it, and keeps the error of the program', async () => {
  const { api, sent } = sending();
  const cause = new Error('gone');
  const params = {
    name: 'Renewal',
    get price(): number {
      throw cause;
    },
  };
  const error = await failureOf(api.crm.deals.create(from(params)));
  expect(error).toMatchObject({ name: 'ArgumentError', parameter: 'price', cause, sent: 'no' });
  expect(sent).toEqual([]);
});

test('an argument whose fields cannot be listed is refused with the error of the program', async () => {
  const { api, sent } = sending();
  const cause = new Error('gone');
  const hidden = new Proxy(
    {},
    {
      ownKeys() {
        throw cause;
      },
    },
  );
  const error = await failureOf(api.crm.deals.create(from(hidden)));
  expect(error).toMatchObject({ name: 'ArgumentError', cause, sent: 'no' });
  expect(String(error)).toContain('an argument cannot be read; nothing was sent');
  expect(sent).toEqual([]);
});

test('the error of a wrong value has no cause if the program threw none', async () => {
  const { api } = sending();
  const error = await failureOf(api.crm.deals.create(from({ pipelineId: 1, stepId: 11, price: Number.NaN })));
  expect(error).toMatchObject({ name: 'ArgumentError', parameter: 'price' });
  expect(Object(error)).not.toHaveProperty('cause');
});

describe('the signal of a call', () => {
  const incomplete = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined };
  test.each([
    ['has no aborted', { ...incomplete, aborted: undefined }],
    ['does not accept an abort listener', { ...incomplete, addEventListener: undefined }],
    ['cannot be left again', { ...incomplete, removeEventListener: undefined }],
    ['is a text', 'signal'],
    ['is the options of another call', { signal: null }],
  ])('is invalid if it %s', async (_, signal) => {
    const { api, sent } = sending();
    const error = await failureOf(api.crm.users.list({ signal: from(signal) }));
    expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
    expect(String(error)).toContain('signal must be an AbortSignal');
    expect(sent).toEqual([]);
  });

  test.each([
    ['null', null],
    ['a signal of another library', incomplete],
  ])('may be %s', async (_, signal) => {
    const { api } = sending();
    expect(await api.crm.users.list({ signal: from(signal) })).toEqual([]);
  });
});

describe('the headers of a call', () => {
  test.each<[string, unknown, Record<string, string | null>]>([
    ['null', null, { 'x-trace': null }],
    ['an instance of Headers', new Headers({ 'X-Trace': 'abc' }), { 'x-trace': 'abc' }],
    [
      'texts, numbers and booleans, without those that are null or undefined',
      { 'X-Trace': 'abc', 'X-Number': 7, 'X-Flag': true, 'X-Null': null, 'X-Undefined': undefined },
      { 'x-trace': 'abc', 'x-number': '7', 'x-flag': 'true', 'x-null': null, 'x-undefined': null },
    ],
  ])('may be %s', async (_, headers, expected) => {
    const { api, sent } = sending();
    await api.crm.users.list({ headers: from(headers) });
    for (const [name, value] of Object.entries(expected)) expect(sent[0]?.get(name) ?? null).toBe(value);
  });

  test.each<[string, unknown]>([
    ['a record', { 'X-Trace': {} }],
    ['a promise', { 'X-Trace': Promise.resolve('hunter2') }],
    ['a function', { 'X-Trace': () => 'hunter2' }],
    ['a line break', { 'X-Trace': 'hunter2\r\nX-Admin: 1' }],
  ])('are invalid with %s as a value, which the error does not repeat', async (_, headers) => {
    const { api, sent } = sending();
    const error = await failureOf(api.crm.users.list({ headers: from(headers) }));
    expect(error).toMatchObject({ name: 'ArgumentError', sent: 'no' });
    expect(String(error)).toContain('the header "X-Trace" is not valid');
    expect(String(error)).not.toContain('hunter2');
    expect(sent).toEqual([]);
  });
});

test('an error of a later page still has a stack, though no line of the program requests that page', async () => {
  const { api } = sending({ list: [{ id: 1 }], total: 2 });
  const headers: Record<string, string> = {};
  const pages = api.crm.contacts.list({}, { headers }).pages();
  await pages.next();
  headers['X Trace'] = 'abc';
  const error = await failureOf(pages.next());
  expect(error).toMatchObject({ name: 'ArgumentError', stack: expect.stringMatching(/^ArgumentError: .+\n +at /) });
});

test('without stack traces of the engine, an error of an argument is the same', async () => {
  vi.stubGlobal('Error', Object.assign(class extends Error {}, { captureStackTrace: undefined }));
  const { api } = sending();
  expect(await failureOf(api.email.messages.get({ id: '..' }))).toMatchObject({ name: 'ArgumentError' });
});
