import { expect, test } from 'vitest';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { flatFields } from '../../../scripts/spec/parameters.ts';
import { numbers, over } from './paged-client.ts';

const deals = () => over(() => ({ data: numbers(0, 2), meta: { total: 2, searchRequest: '' } }));
/** A filter from an untyped program. */
const filter = (name: string): never => ({ [name]: 10 }) as never;

test.each([
  ...['limt', 'limits', 'lmiit', 'Limit', 'limot', 'imit'].map((name) => [name, 'limit']),
  ...['ofset', 'offest', 'offsets', 'Offset'].map((name) => [name, 'offset']),
])('deals.list throws for %s, which resembles %s, and sends no request', async (name = '', meant) => {
  const { api, asked } = deals();
  await expect(api.crm.deals.list(filter(name))).rejects.toMatchObject({
    name: 'ArgumentError',
    operationId: 'listDeals',
    sent: 'no',
    message: `POST /deals/get-list: '${name}' looks like a misspelling of '${meant}'; nothing was sent`,
  });
  expect(asked).toEqual([]);
});

test.each(['title', 'list', 'unit', 'light', 'set', 'off', 'to', 'id'])(
  'deals.list sends %s, because its filter can have any field',
  async (name) => {
    const { api, asked } = deals();
    await api.crm.deals.list(filter(name));
    expect(asked).toMatchObject([{ body: { [name]: 10 } }]);
  },
);

test('a call by path sends any field', async () => {
  const { api, asked } = deals();
  await api.crm.POST('/deals/get-list', { body: filter('limits') });
  expect(asked).toMatchObject([{ body: { limits: 10 } }]);
});

test('no documented field of a list resembles its limit or offset', async () => {
  const paged = specNames
    .flatMap((name) => listOperations(loadSpec(name)))
    .filter((each) => each.operation['x-pagination']);
  const names = new Set(paged.flatMap((each) => flatFields(each).map(({ name }) => name)));
  expect(names.size).toBeGreaterThan(20);
  const { api, asked } = deals();
  for (const name of names) await api.crm.deals.list(filter(name));
  expect(asked).toHaveLength(names.size);
});
