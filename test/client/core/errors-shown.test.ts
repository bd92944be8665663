import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createCrmClient } from '../../../src/client/crm.ts';
import { type ClientOptions, createClient, isCarillonError } from '../../../src/client/index.ts';
import { createPathsClient } from '../../../src/client/paths.ts';
import { failureOf, silent } from '../outcomes/support.ts';

const basic: ClientOptions = { baseUrl: 'https://api.example.com', auth: { apiKey: 'k3y-value' }, logger: silent };
const refused = (body: object) => createClient({ ...basic, fetch: async () => Response.json(body, { status: 404 }) });

test('the JSON of an error has its message and the details of its call, but no body and no URL', async () => {
  const api = refused({ message: 'There is no such deal.', owner: 'ada@example.com' });
  const error = await failureOf(api.crm.deals.get({ dealId: 501 }));
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: {
      name: 'NotFoundError',
      message: 'GET /deals/{dealId} (getDeal) failed with HTTP status 404: There is no such deal.',
      sent: 'yes',
      status: 404,
      serviceMessage: 'There is no such deal.',
      operationId: 'getDeal',
      method: 'GET',
      path: '/deals/{dealId}',
      attempts: 1,
      callId: expect.any(Number),
    },
  });
});

test('the JSON of an error has its cause as text', async () => {
  const pages = [Response.json({ data: { list: [{ id: 1 }], total: 2 } })];
  const fetch = async () => pages.shift() ?? Response.json({}, { status: 404 });
  const list = createClient({ ...basic, fetch }).crm.contacts.list();
  expect(JSON.parse(JSON.stringify(await failureOf(list.toArray({ max: 10 }))))).toMatchObject({
    name: 'IncompleteListError',
    message: 'POST /contacts/get-list failed after 1 items',
    nextOffset: 1,
    cause: 'NotFoundError: POST /contacts/get-list (listContacts) failed with HTTP status 404',
  });
});

test.each([['locked'], [null], [Symbol('locked')], [Object.create(null)]])(
  'the JSON of an error can be written if its cause is %j',
  async (cause) => {
    const auth = { getToken: () => Promise.reject(cause) };
    const error = await failureOf(createClient({ ...basic, auth }).crm.users.list());
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: 'TokenError', sent: 'no' });
  },
);

test('structuredClone keeps message, stack and cause of an error, and toJSON also what identifies it', async () => {
  const error = await failureOf(refused({}).crm.deals.get({ dealId: 501 }));
  if (!isCarillonError(error)) return expect.unreachable();
  const copy = structuredClone(error);
  expect(copy).toMatchObject({ name: 'Error', message: error.message, stack: error.stack });
  expect(Object.keys(copy)).toEqual([]);
  expect(isCarillonError(copy)).toBe(false);
  expect(structuredClone(error.toJSON())).toMatchObject({ name: 'NotFoundError', message: error.message, status: 404 });
});

test('a worker gets the data of toJSON', async () => {
  const error = await failureOf(refused({}).crm.deals.get({ dealId: 501 }));
  if (!isCarillonError(error)) return expect.unreachable();
  const echo =
    "const { parentPort } = require('node:worker_threads'); parentPort.once('message', (data) => parentPort.postMessage(data));";
  const worker = new Worker(echo, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  const received = new Promise((resolve) => worker.once('message', resolve));
  worker.postMessage(error.toJSON());
  expect(await received).toEqual(error.toJSON());
});

test('console.log of a call says that it is a call, not its payload', async () => {
  const api = createClient({ ...basic, fetch: async () => Response.json({ data: { id: 501 } }) });
  const call = api.crm.deals.get({ dealId: 501 });
  expect(inspect(call)).toBe('Call { GET /deals/{dealId}: use await to get the result }');
  expect(await call).toEqual({ id: 501 });
  const byPath = api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
  expect(inspect({ byPath })).toBe('{ byPath: Call { GET /deals/{dealId}: use await to get the result } }');
  expect((await byPath).data).toEqual({ id: 501 });
  // As that of a promise, so that a forgotten await publishes nothing.
  expect(JSON.stringify([call, byPath])).toBe('[{},{}]');
});

test.each([
  ['createClient', createClient(basic)],
  ['withOptions', createClient(basic).withOptions({ maxRetries: 0 })],
  ['createCrmClient', createCrmClient(basic)],
  ['createPathsClient', createPathsClient(basic)],
])('console.log of a client of %s is one line with its address', (_, api) => {
  expect(inspect(api, { depth: 9, showHidden: false })).toBe('Client { https://api.example.com }');
});
