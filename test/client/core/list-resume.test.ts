import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { isCarillonError } from '../../../src/client/index.ts';
import { contacts, numbers, over } from './paged-client.ts';

/** Contacts for which request number `broken` returns `response`, by default 503. */
const breaking = (broken: number, response = () => Response.json({}, { status: 503 })) =>
  over(({ body }, count) => {
    const offset = Number(body?.offset ?? 0);
    return count === broken ? response() : { data: { list: numbers(offset, Math.min(100, 250 - offset)), total: 250 } };
  });

test('pages() returns every page, and requests each only when needed', async () => {
  const { api, asked } = contacts();
  const sizes: number[] = [];
  for await (const page of api.crm.contacts.list().pages()) {
    sizes.push(page.data.length);
    expect(asked).toHaveLength(sizes.length);
  }
  expect(sizes).toEqual([100, 100, 50]);
});

test('a list resumes at the nextOffset of the last page received', async () => {
  const { api } = breaking(3);
  const items: unknown[] = [];
  let offset = 0;
  const read = async (): Promise<void> => {
    for await (const page of api.crm.contacts.list({ offset }).pages()) {
      items.push(...page.data);
      offset = page.nextOffset ?? offset;
    }
  };
  await expect(read()).rejects.toMatchObject({ name: 'ServerError', status: 503 });
  expect(offset).toBe(200);
  await read();
  expect(items).toEqual(numbers(0, 250));
});

test('toArray that fails on a later page rejects with the received items, the offset to resume and the cause', async () => {
  const { api } = breaking(3);
  const error: unknown = await api.crm.contacts
    .list()
    .toArray({ max: 1_000 })
    .catch((reason: unknown) => reason);
  if (!isCarillonError(error, 'IncompleteListError')) throw error;
  expect(error).toMatchObject({
    name: 'IncompleteListError',
    message: 'POST /contacts/get-list failed after 200 items',
    operationId: 'listContacts',
    nextOffset: 200,
    cause: { name: 'ServerError', status: 503 },
  });
  const rest = await api.crm.contacts.list({ offset: error.nextOffset }).toArray({ max: 1_000 });
  expect([...error.items, ...rest]).toEqual(numbers(0, 250));
});

test('an IncompleteListError identifies the failed call, not the last answered one', async () => {
  const lost = () => {
    throw new TypeError('terminated');
  };
  const list = breaking(2, lost).api.crm.contacts.list();
  await expect(list.toArray({ max: 1_000 })).rejects.toMatchObject({
    name: 'IncompleteListError',
    operationId: 'listContacts',
    method: 'POST',
    path: '/contacts/get-list',
    attempts: 1,
    sent: 'maybe',
  });
});

test('no output of the error contains the received items', async () => {
  const { api } = breaking(2, () => Response.json({}, { status: 503 }));
  const error: unknown = await api.crm.contacts
    .list()
    .toArray({ max: 1_000 })
    .catch((reason: unknown) => reason);
  expect(isCarillonError(error, 'IncompleteListError') && error.items).toHaveLength(100);
  expect(inspect(error) + JSON.stringify(error)).not.toContain('items:');
});

test('toArray that fails on its first page rejects with the failure itself', async () => {
  const { api } = breaking(1);
  await expect(api.crm.contacts.list().toArray({ max: 5 })).rejects.toMatchObject({ name: 'ServerError' });
});

const short = () => over(({ body }) => ({ data: { list: numbers(0, body?.offset ? 0 : 50), total: 12_000 } }));

test('a list that ends below its total rejects with complete: true, with the received items', async () => {
  const { api, warn } = short();
  const list = api.crm.contacts.list();
  expect(await list.toArray({ max: 20_000 })).toEqual(numbers(0, 50));
  expect(warn).toHaveBeenCalledTimes(1);
  await expect(list.toArray({ max: 20_000, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
    message: 'POST /contacts/get-list ended after 50 of 12000 items',
    items: numbers(0, 50),
    operationId: 'listContacts',
    method: 'POST',
    path: '/contacts/get-list',
    attempts: 1,
    sent: 'yes',
  });
});

test('complete: true rejects if max cuts the list off', async () => {
  const { api, asked } = contacts();
  await expect(api.crm.contacts.list().toArray({ max: 120, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
    message: "POST /contacts/get-list has more than 'max' items",
    items: numbers(0, 120),
    nextOffset: 120,
  });
  expect(asked).toHaveLength(2);
  expect(await api.crm.contacts.list().toArray({ max: 250, complete: true })).toEqual(numbers(0, 250));
});

test('complete: true rejects if the service ignores the offset or repeats items', async () => {
  const same = over(() => numbers(0, 20));
  await expect(same.api.email.messages.list().toArray({ max: 99, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
    items: numbers(0, 20),
  });
  const overlapping = over((_, count) => (count < 3 ? numbers(count * 10, 20) : []));
  await expect(overlapping.api.email.messages.list().toArray({ max: 99, complete: true })).rejects.toMatchObject({
    name: 'IncompleteListError',
  });
});
