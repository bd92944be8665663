import { beforeAll, describe, expect, test } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../../src/client/index.ts';
import { failureOf, silent } from '../outcomes/support.ts';

/** Ways to read a call. Each is an async function whose name must be in the stack trace. */
const ways: Record<string, (api: Client) => Promise<unknown>> = {
  async awaited(api) {
    await api.crm.deals.get({ dealId: 1 });
  },
  async returned(api) {
    const get = (dealId: number) => api.crm.deals.get({ dealId });
    return await get(1);
  },
  async withThen(api) {
    await api.crm.deals.get({ dealId: 1 }).then((deal) => deal.id);
  },
  async withCatch(api) {
    await api.crm.deals.get({ dealId: 1 }).catch((error: unknown) => {
      throw error;
    });
  },
  async withFinally(api) {
    await api.crm.deals.get({ dealId: 1 }).finally(() => undefined);
  },
  async withItsResponse(api) {
    await api.crm.deals.get({ dealId: 1 }).withResponse();
  },
  async withAll(api) {
    await Promise.all([api.crm.deals.get({ dealId: 1 })]);
  },
  async withAny(api) {
    const error: unknown = await Promise.any([api.crm.deals.get({ dealId: 1 })]).catch((reason) => reason.errors[0]);
    throw error;
  },
  async withAllSettled(api) {
    const [result] = await Promise.allSettled([api.crm.deals.get({ dealId: 1 })]);
    if (result?.status === 'rejected') throw result.reason;
  },
  async withRace(api) {
    await Promise.race([api.crm.deals.get({ dealId: 1 })]);
  },
  async firstPage(api) {
    await api.crm.contacts.list();
  },
  async firstPageWithThen(api) {
    await api.crm.contacts.list().then((page) => page.data);
  },
  async firstPageWithCatch(api) {
    await api.crm.contacts.list().catch((error: unknown) => {
      throw error;
    });
  },
  async firstPageWithFinally(api) {
    await api.crm.contacts.list().finally(() => undefined);
  },
  async firstPageWithAll(api) {
    await Promise.all([api.crm.contacts.list()]);
  },
  async firstPageWithItsResponse(api) {
    await api.crm.contacts.list().withResponse();
  },
  async allItems(api) {
    for await (const contact of api.crm.contacts.list()) expect(contact).toBeUndefined();
  },
  async allPages(api) {
    for await (const page of api.crm.contacts.list().pages()) expect(page).toBeUndefined();
  },
  async asArray(api) {
    await api.crm.contacts.list().toArray({ max: 10 });
  },
};

/** Ways to read a call by path. */
const pathWays: typeof ways = {
  async byPath(api) {
    const { error } = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 1 } } });
    throw error;
  },
  async byPathWithThen(api) {
    await api.crm
      .GET('/deals/{dealId}', { params: { path: { dealId: 1 } } })
      .then(({ error }) => Promise.reject(error));
  },
  async byPathWithAll(api) {
    const [{ error }] = await Promise.all([api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 1 } } })]);
    throw error;
  },
};

const hang: ClientOptions['fetch'] = (_, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const failures: Record<string, Partial<ClientOptions>> = {
  NotFoundError: { fetch: async () => Response.json({}, { status: 404 }) },
  ResponseError: { fetch: async () => new Response('<html>') },
  ConnectionError: { fetch: () => Promise.reject(new TypeError('fetch failed')) },
  DeadlineError: { fetch: hang, timeout: 1 },
  TokenError: { auth: { getToken: () => Promise.reject(new Error('locked')) } },
};

describe.each(Object.entries(failures))('the stack trace of a %s has the line that reads the call', (name, options) => {
  let api: Client;
  beforeAll(() => {
    api = createClient({ baseUrl: 'https://api.example.com', auth: null, maxRetries: 0, logger: silent, ...options });
  });

  test.each(Object.entries({ ...ways, ...pathWays }))('%s', async (way, read) => {
    const error = await failureOf(read(api));
    expect(error).toMatchObject({ name });
    const { stack = '' } = error as Error;
    expect(stack.split('\n')[0]).toBe(String(error));
    expect(stack).toMatch(new RegExp(`\\n +at async .*\\b${way} .*stack\\.test\\.ts`));
  });
});

test('the stack trace of a later page has the line that reads the list', async () => {
  const pages = [Response.json({ data: { list: [{ id: 1 }], total: 2 } }), Response.json({}, { status: 404 })];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    fetch: async () => pages.shift() ?? Response.error(),
  });
  async function readEverything(): Promise<void> {
    for await (const contact of api.crm.contacts.list()) expect(contact).toEqual({ id: 1 });
  }
  const error = await failureOf(readEverything());
  expect(error).toMatchObject({ name: 'NotFoundError', stack: expect.stringContaining('at async readEverything ') });
});

test.each<[string, (api: Client) => Promise<unknown>]>([
  [
    'firstPage',
    async function firstPage(api) {
      await api.crm.contacts.list({}, { timeout: -1 });
    },
  ],
  [
    'allItems',
    async function allItems(api) {
      for await (const contact of api.crm.contacts.list({}, { timeout: -1 })) expect(contact).toBeUndefined();
    },
  ],
])('the stack trace of a wrong option of a list has the line that reads the list: %s', async (name, read) => {
  const error = await failureOf(read(createClient({ baseUrl: 'https://api.example.com', auth: null })));
  expect(error).toMatchObject({
    name: 'ConfigError',
    stack: expect.stringMatching(new RegExp(`^ConfigError: .*\\n +at ${name} \\(`)),
  });
});

test('an error that a hook passes on keeps its own stack trace', async () => {
  const other = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    fetch: async () => Response.json({}, { status: 404 }),
  });
  async function askFirst(): Promise<void> {
    await other.crm.deals.get({ dealId: 1 });
  }
  const api = createClient({ baseUrl: 'https://api.example.com', auth: null, middleware: [{ onRequest: askFirst }] });
  const error = await failureOf(api.crm.users.list());
  expect(error).toMatchObject({ name: 'NotFoundError', stack: expect.stringContaining('askFirst ') });
});

test('an engine without stack traces of its own changes no error', async () => {
  const { captureStackTrace } = Error;
  try {
    Reflect.deleteProperty(Error, 'captureStackTrace');
    const api = createClient({
      baseUrl: 'https://api.example.com',
      auth: null,
      fetch: async () => Response.json({}, { status: 404 }),
    });
    expect(await failureOf(api.crm.users.list())).toMatchObject({ name: 'NotFoundError', status: 404 });
  } finally {
    Error.captureStackTrace = captureStackTrace;
  }
});
