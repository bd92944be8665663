import { expect, test } from 'vitest';
import { nextOffset } from '../../../src/client/core/list-reader.ts';
import type { Paging } from '../../../src/shared/operation.ts';
import { collect, numbers, over } from './paged-client.ts';

const open: Paging = { limit: 'limit', offset: 'offset' };
const capped: Paging = { ...open, maximum: 100 };
const inferred: Paging = { ...open, inferred: true };
interface Case {
  received?: number;
  offset?: number;
  total?: number;
  limit?: number;
  before?: number;
}

test.each<[string, Paging, Case, number | undefined]>([
  ['the next offset is offset + items received', open, { offset: 30, received: 7 }, 37],
  ['an empty page is the end', open, { received: 0 }, undefined],
  ['below the total an empty page is asked for again', open, { received: 0, offset: 30, total: 99 }, 30],
  ['also before any item came', open, { received: 0, limit: 20, total: 99 }, 0],
  ['two empty pages are the end, whatever the total says', open, { received: 0, before: 0, total: 99 }, undefined],
  ['an empty page at the total is the end', open, { received: 0, offset: 99, total: 99 }, undefined],
  ['the total reached is the end', open, { offset: 90, total: 100 }, undefined],
  ['a total that was exceeded has no effect', open, { offset: 95, total: 100 }, 105],
  ['below the total a short page is no end', capped, { limit: 50, total: 100 }, 10],
  ['below the total it continues', open, { offset: 89, total: 100 }, 99],
  ['a short page is no end where no maximum is documented', open, { limit: 50 }, 10],
  ['a page shorter than asked within the maximum is the end', capped, { limit: 50 }, undefined],
  ['a page as long as asked is no end', capped, { limit: 10 }, 10],
  ['a page longer than asked is no end', capped, { limit: 5 }, 10],
  ['the maximum itself is within it', capped, { limit: 100, received: 99 }, undefined],
  ['more asked than the maximum: a short page is no end', capped, { limit: 101, received: 100 }, 100],
  ['an open filter without a limit is one page', inferred, {}, undefined],
  ['an open filter with a limit continues', inferred, { limit: 10 }, 10],
])('%s', (_, paging, state, expected) => {
  const { limit, before, ...given } = state;
  const page = { received: 10, offset: 0, total: 0, ...given };
  expect(nextOffset(paging, limit, page, before)).toBe(expected);
});

test('sends no limit unless given or documented, and no offset for the first page', async () => {
  const { api, asked } = over(() => []);
  await api.email.messages.list({ sender: 'ann@example.com' });
  await api.email.messages.list({ limit: 5, offset: 0 });
  expect(asked.map(({ url }) => url.search)).toEqual(['?sender=ann%40example.com', '?limit=5&offset=0']);
});

test('loses no item if a service silently caps the limit, because it continues to an empty page', async () => {
  const { api, asked } = over(({ url }) => {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    return numbers(offset, Math.min(30, 70 - offset));
  });
  expect(await collect(api.email.messages.list({ limit: 50 }))).toEqual(numbers(0, 70));
  expect(asked.map(({ url }) => url.searchParams.get('offset'))).toEqual([null, '30', '60', '70']);
});

test('pages the open filter of deals only if the caller gives a limit', async () => {
  const { api, asked } = over(({ body }) => ({ data: numbers(Number(body?.offset ?? 0), body?.offset === 4 ? 0 : 2) }));
  // An undocumented field, which a user declares by augmentation.
  const filter = { pipelineId: 1, limit: undefined };
  expect(await collect(api.crm.deals.list(filter))).toEqual(numbers(0, 2));
  expect(asked.map(({ body }) => body)).toEqual([{ pipelineId: 1 }]);
  asked.length = 0;
  expect(await collect(api.crm.deals.list({ ...filter, limit: 2 }))).toEqual(numbers(0, 4));
  expect(asked.map(({ body }) => body?.offset)).toEqual([undefined, 2, 4]);
});

test('ends the list with a warning if the service ignores the offset, and repeats no item', async () => {
  const { api, asked, warn } = over(() => numbers(0, 20));
  expect(await collect(api.email.messages.list())).toEqual(numbers(0, 20));
  expect(asked).toHaveLength(2);
  expect(warn.mock.calls).toEqual([['carillon: GET /smtp/emails repeats a page; the list ends here']]);
});

test.each([
  ['null', { data: { list: null, total: 0 } }],
  ['an empty body', new Response(null, { status: 204 })],
])('treats %s instead of a list as an error, not as an empty list', async (_, response) => {
  const { api } = over(() => response);
  const list = api.crm.contacts.list();
  const failure = { name: 'ResponseError', sent: 'maybe' };
  await expect(list.withResponse()).rejects.toMatchObject(failure);
  await expect(collect(list)).rejects.toMatchObject(failure);
  await expect(list.toArray({ max: 10, complete: true })).rejects.toMatchObject(failure);
});

test.each([
  ['an object', { data: { list: { 0: { id: 1 } } } }],
  ['a text', { data: { list: 'abc' } }],
  ['a body without the documented key', { items: [{ id: 1 }] }],
])('%s in place of a list is an error', async (_, response) => {
  const { api, asked } = over(() => response);
  const failure = {
    name: 'ResponseError',
    status: 200,
    operationId: 'listContacts',
    method: 'POST',
    path: '/contacts/get-list',
    attempts: 1,
    message: 'POST /contacts/get-list (listContacts) returned status 200, but without the documented list',
    body: JSON.stringify(response),
  };
  await expect(api.crm.contacts.list()).rejects.toMatchObject(failure);
  await expect(collect(api.crm.contacts.list())).rejects.toMatchObject(failure);
  await expect(api.crm.POST('/contacts/get-list', { body: {} })).rejects.toMatchObject(failure);
  expect(asked).toHaveLength(3);
});
