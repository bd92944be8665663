import { describe, expect, test, vi } from 'vitest';
import { crmOperations } from '../../../generated/crm/operations.ts';
import { emailOperations } from '../../../generated/email/operations.ts';
import { messagingOperations } from '../../../generated/messaging/operations.ts';
import { createClient } from '../../../src/client/index.ts';
import { listOperations, type Operation, type OperationTable } from '../../../src/shared/operation.ts';
import { failureOf } from './support.ts';

const tables: Record<string, OperationTable> = {
  crm: crmOperations,
  messaging: messagingOperations,
  email: emailOperations,
};
const operations = Object.entries(tables).flatMap(([part, table]) =>
  listOperations(table).map((operation): [string, string, Operation] => [operation.record.id, part, operation]),
);

/** Calls an operation that is answered with this text, by method and by path. */
function call(part: string, { method, path, record }: Operation, text: string, type = 'application/json') {
  const warn = vi.fn();
  const fetch = async () => new Response(text, { headers: { 'content-type': type } });
  const client = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'key' }, fetch, logger: { warn } });
  const values = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, record.text?.includes(name) ? 'a' : 1]),
  );
  const group: unknown = Reflect.get(client, part);
  const byMethod = record.method.split('.').reduce((inner, name) => Reflect.get(Object(inner), name), group);
  const byPath: unknown = Reflect.get(Object(group), method);
  if (typeof byMethod !== 'function' || typeof byPath !== 'function') throw new Error(`${record.id} is missing`);
  const body = method === 'GET' ? {} : { body: {} };
  const calls: PromiseLike<unknown>[] = [
    record.bare ? byMethod() : byMethod(values),
    byPath(path, { params: { path: values }, ...body }),
  ];
  return { calls, warn };
}

async function expectRefusal(part: string, operation: Operation, text: string, type?: string): Promise<void> {
  for (const made of call(part, operation, text, type).calls) {
    expect(await failureOf(made), text).toMatchObject({
      name: 'ResponseError',
      status: 200,
      sent: 'maybe',
      attempts: 1,
      body: text,
    });
  }
}

test.each(operations)(
  '%s: a page is not a success, because another server may have answered',
  async (_, part, operation) => {
    await expectRefusal(part, operation, '<!doctype html><title>Log in</title>', 'text/html');
  },
);

const changing = operations.filter(([, , { record }]) => !record.reads && !record.anonymous && !record.empty);

test.each(changing)(
  '%s changes something: a response without its payload is not a success',
  async (_, part, operation) => {
    for (const text of ['{}', '{"success":false}', '[]', '1', '{"data":"abc"}', '{"id":1}']) {
      await expectRefusal(part, operation, text);
    }
    if (operation.record.list) return;
    for (const text of ['{"data":{}}', '{"data":[{"id":1}]}']) await expectRefusal(part, operation, text);
  },
);

test('a page with 404 after a lost response does not show that a record was deleted', async () => {
  const responses = [
    () => Promise.reject(new TypeError('reset')),
    () => new Response('<title>No such page</title>', { status: 404, headers: { 'content-type': 'text/html' } }),
  ];
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'key' },
    fetch: async () => responses.shift()?.() ?? Response.error(),
  });
  expect(await failureOf(api.crm.deals.delete({ dealId: 501 }))).toMatchObject({
    name: 'NotFoundError',
    sent: 'maybe',
  });
});

const bare = operations.filter(([, , { record }]) => record.empty);

describe.each(bare)('%s has no documented body', (_, part, operation) => {
  test.each(['', '\n', '{}', '{"data":{"id":1}}', 'null'])('ignores %j', async (text) => {
    const [byMethod, byPath] = call(part, operation, text).calls;
    expect(await byMethod).toBeUndefined();
    expect(await byPath).toMatchObject({ data: undefined });
  });
});

const lists = operations.filter(([, , { record }]) => record.list || record.paging);

test.each(lists)('%s: a response without its list is not a success', async (_, part, operation) => {
  for (const text of ['{}', '1', '{"data":"abc"}']) await expectRefusal(part, operation, text);
});

const reading = operations.filter(
  ([, , { record }]) => record.reads && record.payload === 'data' && !record.list && !record.paging,
);

test.each(reading)('%s reads: a body without its payload is returned, with a warning', async (_, part, operation) => {
  const { calls, warn } = call(part, operation, '{"id":1}');
  expect(await calls[0]).toEqual({ id: 1 });
  expect(await calls[1]).toMatchObject({ data: { id: 1 } });
  expect(warn).toHaveBeenCalled();
});
