import { expect, test } from 'vitest';
import { collect, contacts, numbers, over } from './paged-client.ts';

test('a list sends no request until it is used', () => {
  const { api, asked } = contacts();
  api.crm.contacts.list();
  expect(asked).toEqual([]);
});

test('for await returns every item in order, and requests pages of the documented maximum', async () => {
  const { api, asked } = contacts();
  expect(await collect(api.crm.contacts.list({ firstName: 'Ann' }))).toEqual(numbers(0, 250));
  expect(asked.map(({ body }) => body)).toEqual([
    { firstName: 'Ann', limit: 100 },
    { firstName: 'Ann', limit: 100, offset: 100 },
    { firstName: 'Ann', limit: 100, offset: 200 },
  ]);
});

test('await returns a page whose nextOffset leads to the next, except on the last page', async () => {
  const { api } = contacts();
  const first = await api.crm.contacts.list({ limit: 90, offset: 100 });
  expect(first).toEqual({ data: numbers(100, 90), total: 250, meta: { total: 250 }, offset: 100, nextOffset: 190 });
  const last = await api.crm.contacts.list({ limit: 90, offset: first.nextOffset });
  expect(last.data).toEqual(numbers(190, 60));
  expect('nextOffset' in last).toBe(false);
});

test('toArray collects at most max items and requests no further page', async () => {
  const { api, asked } = contacts();
  expect(await api.crm.contacts.list().toArray({ max: 150 })).toEqual(numbers(0, 150));
  expect(asked).toHaveLength(2);
  expect(await api.crm.contacts.list().toArray({ max: 100 })).toEqual(numbers(0, 100));
  expect(asked).toHaveLength(3);
  expect(await api.crm.contacts.list().toArray({ max: 1_000 })).toEqual(numbers(0, 250));
  expect(await api.crm.contacts.list().toArray({ max: Number.POSITIVE_INFINITY })).toEqual(numbers(0, 250));
});

test('toArray requires max, and sends no request for 0', async () => {
  const { api, asked } = contacts();
  // @ts-expect-error a program in JavaScript can leave the options out
  await expect(api.crm.contacts.list().toArray()).rejects.toThrow("toArray needs the 'max' option");
  expect(await api.crm.contacts.list().toArray({ max: 0 })).toEqual([]);
  expect(asked).toEqual([]);
});

test('concurrent uses of one list each get all items', async () => {
  const { api, asked } = contacts();
  const list = api.crm.contacts.list();
  const [first, all, whole, again] = await Promise.all([list, collect(list), list.withResponse(), collect(list)]);
  expect([first.data, all, again]).toEqual([numbers(0, 100), numbers(0, 250), numbers(0, 250)]);
  expect(whole.data).toBe(first);
  expect(whole.response.status).toBe(200);
  // One first page for both awaits, and all pages for each iteration.
  expect(asked.map(({ body }) => Number(body?.offset ?? 0)).sort()).toEqual([0, 0, 0, 100, 100, 200, 200]);
});

test('leaving a loop early requests no further page', async () => {
  const { api, asked } = contacts();
  for await (const { id } of api.crm.contacts.list()) if (id === 120) break;
  expect(asked).toHaveLength(2);
});

test('a failure on a later page comes after the items before it', async () => {
  const { api } = over((_, count) =>
    count === 1 ? numbers(0, 3) : Response.json({ message: 'down' }, { status: 500 }),
  );
  const items: unknown[] = [];
  const run = async (): Promise<void> => {
    for await (const item of api.email.messages.list()) items.push(item);
  };
  await expect(run()).rejects.toMatchObject({ name: 'ServerError', operationId: 'listEmailMessages' });
  expect(items).toEqual(numbers(0, 3));
});

test('a failed first page rejects each use of the list alike, without an unhandled rejection', async () => {
  const { api, asked } = over(() => Response.json({}, { status: 403 }));
  const list = api.crm.contacts.list();
  const uses = [collect(list), list.toArray({ max: 5 }), list.withResponse(), Promise.resolve(list)];
  const results = await Promise.allSettled(uses);
  expect(results).toMatchObject(results.map(() => ({ status: 'rejected', reason: { name: 'PermissionDeniedError' } })));
  expect(asked).toHaveLength(3);
});

test('an abort between pages ends the iteration with its reason', async () => {
  const { api, asked } = contacts();
  const controller = new AbortController();
  const run = async (): Promise<void> => {
    for await (const { id } of api.crm.contacts.list({}, { signal: controller.signal })) {
      if (id === 50) controller.abort('enough');
    }
  };
  await expect(run()).rejects.toBe('enough');
  expect(asked).toHaveLength(1);
});

test('null as options of a list is no option, as for a call', async () => {
  const { api } = over(() => numbers(0, 2));
  const list = Reflect.apply(api.email.messages.list, undefined, [{}, null]);
  expect(await list.toArray({ max: 5 })).toEqual(numbers(0, 2));
});

test('a list takes its position from the same copy as its other parameters', async () => {
  const { api, asked } = over(() => []);
  await Reflect.apply(api.email.messages.list, undefined, [Object.create({ limit: 7, offset: 30 })]);
  expect([...(asked[0]?.url.searchParams ?? [])]).toEqual([]);
  let reads = 0;
  const params = {
    get limit() {
      reads += 1;
      return 5;
    },
  };
  await api.email.messages.list(params).toArray({ max: 20 });
  expect(reads).toBe(1);
});

test('a list keeps the parameters and options that it was called with', async () => {
  const { api, asked } = over(({ url }) => numbers(Number(url.searchParams.get('offset')), 5));
  const params = { limit: 5, sender: 'a' };
  const options = { headers: { 'x-job': 'a' } };
  const pages = api.email.messages.list(params, options).pages();
  await pages.next();
  params.sender = 'b';
  Object.assign(options, { timeout: -1 });
  await pages.next();
  expect(asked.map(({ url }) => url.searchParams.get('sender'))).toEqual(['a', 'a']);
});
