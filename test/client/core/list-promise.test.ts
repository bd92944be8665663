import { expect, test, vi } from 'vitest';
import { collect, contacts, numbers, over } from './paged-client.ts';

const flaky = (failures: number) =>
  over((_, count) =>
    count <= failures ? Response.json({}, { status: 503 }) : numbers(0, count === failures + 1 ? 3 : 0),
  );

test('a list is a promise of its first page, which starts on first use', async () => {
  const { api, asked } = contacts();
  const list = api.crm.contacts.list();
  expect(Object.prototype.toString.call(list)).toBe('[object List]');
  await Promise.resolve();
  expect(asked).toEqual([]);
  const onFinally = vi.fn();
  expect((await list.finally(onFinally)).data).toEqual(numbers(0, 100));
  expect(onFinally).toHaveBeenCalledTimes(1);
  expect((await list.catch(() => undefined))?.data).toEqual(numbers(0, 100));
  expect(asked).toHaveLength(1);
});

test('catch and finally of a failed list receive its failure', async () => {
  const { api } = flaky(9);
  const onFinally = vi.fn();
  const name = await api.email.messages
    .list()
    .finally(onFinally)
    .catch((error: unknown) => (error instanceof Error ? error.name : error));
  expect([name, onFinally.mock.calls.length]).toEqual(['ServerError', 1]);
});

test('a failed list can be used again, and starts again', async () => {
  const { api, asked } = flaky(2);
  const list = api.email.messages.list();
  await expect(list).rejects.toMatchObject({ name: 'ServerError' });
  await expect(collect(list)).rejects.toMatchObject({ name: 'ServerError' });
  expect(await collect(list)).toEqual(numbers(0, 3));
  expect((await list).data).toEqual([]);
  expect(asked).toHaveLength(5);
});
