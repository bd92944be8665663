import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { isCarillonError } from '../../../src/client/index.ts';
import { collect, contacts, numbers, over } from './paged-client.ts';

const reason = { why: 'enough' };

/** Contacts with a callback before request number `broken`. */
const breaking = (broken: number, action: () => unknown) =>
  over(({ body }, count) => {
    const offset = Number(body?.offset ?? 0);
    const response = { data: { list: numbers(offset, Math.min(100, 250 - offset)), total: 250 } };
    return (count === broken && action()) || response;
  });

/** Returns the error of `toArray` if the signal is aborted during a request. */
async function abortAt(request: number, options: { max: number; complete?: boolean } = { max: 1_000 }) {
  const controller = new AbortController();
  const { api } = breaking(request, () => controller.abort(reason));
  const list = api.crm.contacts.list({ offset: 5 }, { signal: controller.signal });
  return list.toArray(options).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
}

test('an aborted toArray keeps the received items, the offset to resume and its reason as the cause', async () => {
  for (const complete of [false, true]) {
    const error = await abortAt(2, { max: 1_000, complete });
    expect(error).toMatchObject({
      name: 'IncompleteListError',
      message: 'POST /contacts/get-list was aborted after 100 items',
      items: numbers(5, 100),
      nextOffset: 105,
      operationId: 'listContacts',
      attempts: 1,
      sent: 'maybe',
    });
    expect(isCarillonError(error) && error.cause).toBe(reason);
  }
});

test('an abort of toArray before any item rejects with its reason unchanged', async () => {
  expect(await abortAt(1)).toBe(reason);
});

test('an error from outside the client keeps the items, too', async () => {
  const { api } = contacts();
  let requests = 0;
  const strict = api.withOptions({
    middleware: [
      {
        onRequest() {
          requests += 1;
          if (requests === 2) throw new Error('Not at night');
        },
      },
    ],
  });
  await expect(strict.crm.contacts.list().toArray({ max: 1_000 })).rejects.toMatchObject({
    name: 'IncompleteListError',
    message: 'POST /contacts/get-list failed after 100 items',
    items: numbers(0, 100),
    cause: { message: 'Not at night' },
  });
});

test('a failure after an empty first page has the offset to resume', async () => {
  const { api } = over((_, count) =>
    count === 1 ? { data: { list: [], total: 500 } } : Response.json({}, { status: 403 }),
  );
  await expect(api.crm.contacts.list({ offset: 40 }).toArray({ max: 9 })).rejects.toMatchObject({
    name: 'IncompleteListError',
    items: [],
    nextOffset: 40,
    cause: { name: 'PermissionDeniedError' },
  });
});

test('a later response that is not a list keeps the received items', async () => {
  const { api } = breaking(2, () => ({ data: { list: 'maintenance', total: 250 } }));
  await expect(api.crm.contacts.list().toArray({ max: 1_000 })).rejects.toMatchObject({
    name: 'IncompleteListError',
    items: numbers(0, 100),
    nextOffset: 100,
    cause: { name: 'ResponseError' },
  });
});

test('a list can be iterated again from the start after an abort or failure', async () => {
  const { api, asked } = breaking(2, () => Response.json({}, { status: 403 }));
  const list = api.crm.contacts.list();
  await expect(collect(list)).rejects.toMatchObject({ name: 'PermissionDeniedError' });
  expect(await collect(list)).toEqual(numbers(0, 250));
  expect(await list.toArray({ max: 9_999, complete: true })).toEqual(numbers(0, 250));
  expect(asked).toHaveLength(2 + 3 + 3);
});

test.each([2.5, Number.NaN, -1, Number.NEGATIVE_INFINITY, '5', undefined])(
  'rejects max: %j with a RangeError',
  async (max) => {
    const { api, asked } = contacts();
    // @ts-expect-error a program in JavaScript can pass anything
    await expect(api.crm.contacts.list().toArray({ max })).rejects.toThrow(
      new RangeError("toArray needs the 'max' option: a whole number of 0 or more, or Infinity"),
    );
    expect(asked).toEqual([]);
  },
);

test('each iteration loads its own pages, so changes to an awaited page do not affect it', async () => {
  const { api, asked } = contacts();
  const list = api.crm.contacts.list();
  const page = await list;
  page.data.length = 0;
  expect(await list.toArray({ max: 1_000 })).toEqual(numbers(0, 250));
  expect(await collect(list)).toEqual(numbers(0, 250));
  expect(await list).toBe(page);
  expect(asked).toHaveLength(1 + 3 + 3);
});

test('a list in a log explains itself and its use', () => {
  const { api } = contacts();
  expect(inspect(api.crm.contacts.list())).toBe(
    'List { POST /contacts/get-list: use await to get the first page, or for await to get all items }',
  );
});
