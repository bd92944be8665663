import { describe, expect, test } from 'vitest';
import type { Messaging } from '../../../../src/client/index.ts';
import { day, expectChoice, expectRule, start } from '../../support.ts';
import { sale, sendSale } from '../examples.ts';

type Filters = Partial<Messaging.PushCampaignsCreateParams>;

function create(filters: Filters) {
  return start().api.messaging.push.campaigns.create({ ...sale, ...filters });
}

/** Number of the story's three active subscribers (67001, 67002 and 67005) that a campaign reaches. */
async function reached(filters: Filters): Promise<number> {
  const { api, sandbox } = start();
  const { id } = await api.messaging.push.campaigns.create({ ...sale, ...filters });
  sandbox.clock.advance(day);
  return Number((await api.messaging.push.campaigns.get({ id })).send);
}

test.each<[string, Filters, number]>([
  ['no filter', {}, 3],
  ['language', { filter_lang: 'en' }, 2],
  ['no language', { filter_lang: '' }, 3],
  ['browsers', { filter_browser: 'chrome, Opera' }, 1],
  ['several browsers', { filter_browser: 'Chrome,Firefox' }, 3],
  ['region', { filter_region: ['DE', 'FR'] }, 1],
  ['no region', { filter_region: [] }, 3],
  ['exact links', { filter_url: { type: 'direct', search: ['https://shop.example.com/plans'] } }, 1],
  ['part of the address', { filter_url: { type: 'include', search: '/plans' } }, 2],
  ['part not in the address', { filter_url: { type: 'exclude', search: '/plans' } }, 1],
  ['an empty address filter', { filter_url: {} }, 3],
  ['subscribed from', { filter_subscription_date_from: '2026-11-02' }, 3],
  ['subscribed after', { filter_subscription_date_from: '2026-11-03' }, 0],
  ['subscribed until', { filter_subscription_date_to: '2026-11-02' }, 3],
  ['subscribed before', { filter_subscription_date_to: '2026-11-01' }, 0],
  ['several filters', { filter_lang: 'en', filter_browser: 'Firefox' }, 1],
])('a campaign reaches the subscribers that match: %s', async (_, filters, expected) => {
  expect(await reached(filters)).toBe(expected);
});

describe('the conditions of a variable', () => {
  const conditions: [Messaging.PushFilterCondition, string, string, number][] = [
    ['equal', 'plan', 'Team', 1],
    ['notequal', 'plan', 'Team', 2],
    // As strings, '9' would be greater than '12'.
    ['greaterthan', 'seats', '9', 1],
    ['lessthan', 'seats', '12', 1],
    ['greaterthan', 'plan', 'Basic', 1],
    ['lessthan', 'plan', 'Team', 1],
    ['startwith', 'plan', 'Ba', 1],
    ['endwith', 'plan', 'am', 1],
    ['likewith', 'plan', 'a', 2],
    ['notlikewith', 'plan', 'ea', 2],
    ['equal', 'unknown', 'x', 0],
  ];
  test.each(conditions)('%s %s %s', async (condition, variable_name, value, expected) => {
    expect(await reached({ filter: { variable_name, operator: 'or', conditions: [{ condition, value }] } })).toBe(
      expected,
    );
  });

  test('can be joined by or and and', async () => {
    const both: Messaging.PushFilter['conditions'] = [
      { condition: 'startwith', value: 'T' },
      { condition: 'equal', value: 'Basic' },
    ];
    const joined = (operator?: 'or' | 'and') =>
      reached({ filter: { variable_name: 'plan', conditions: both, ...(operator && { operator }) } });
    expect([await joined('or'), await joined('and'), await joined()]).toEqual([2, 0, 0]);
  });

  test('are limited to ten', async () => {
    const times = (length: number): Messaging.PushFilter => ({
      variable_name: 'plan',
      operator: 'and',
      conditions: Array.from({ length }, () => ({ condition: 'equal', value: 'Team' }) as const),
    });
    expect(await reached({ filter: times(10) })).toBe(1);
    await expectChoice(create({ filter: times(11) }), 'request-shape');
  });

  test('must have all their parts', async () => {
    expect(await reached({ filter: {} })).toBe(3);
    expect(await reached({ filter: { variable_name: '', operator: 'and', conditions: [] } })).toBe(3);
    const incomplete: Messaging.PushFilter[] = [
      { variable_name: 'plan' },
      { conditions: [{ condition: 'equal', value: 'Team' }] },
      { variable_name: 'plan', conditions: [{ condition: 'equal' }] },
      { variable_name: 'plan', conditions: [{ value: 'Team' }] },
    ];
    for (const filter of incomplete) await expectChoice(create({ filter }), 'push-incomplete-filter');
  });
});

test('search is an array for direct and a string otherwise [push-filter-url-search]', async () => {
  const link = 'https://shop.example.com/plans';
  await create({ filter_url: { type: 'direct', search: [link] } });
  await create({ filter_url: { type: 'include', search: link } });
  await create({ filter_url: { type: 'exclude', search: link } });
  await expectRule(create({ filter_url: { type: 'direct', search: link } }), 'push-filter-url-search');
  await expectRule(create({ filter_url: { type: 'include', search: [link] } }), 'push-filter-url-search');
  await expectRule(create({ filter_url: { type: 'exclude', search: [link] } }), 'push-filter-url-search');
});

test('JSON in a string must have the documented shape', async () => {
  const rejected = [
    { filter_region: 'PL' },
    { filter_region: '{"a":1}' },
    { filter_region: '[1]' },
    { filter_url: '/plans' },
    { filter_url: '[]' },
    { filter_url: '{"type":"other","search":"x"}' },
  ];
  for (const fields of rejected) expect(await sendSale(fields)).toEqual([422, 'push-json-text']);
  for (const filter_url of ['{"type":"include"}', '{"search":"x"}'])
    expect(await sendSale({ filter_url })).toEqual([422, 'push-incomplete-filter']);
  for (const empty of ['', ' '])
    expect(await sendSale({ filter_region: empty, filter_url: empty })).toEqual([200, undefined]);
});

test('reaches only active subscribers', async () => {
  const { api, sandbox } = start();
  await api.messaging.push.subscribers.setState({ id: 67001, state: 0 });
  await api.messaging.push.subscribers.setState({ id: 67003, state: 1 });
  await api.messaging.push.subscribers.setState({ id: 67004, state: 1 });
  const { id } = await api.messaging.push.campaigns.create(sale);
  sandbox.clock.advance(day);
  expect((await api.messaging.push.campaigns.get({ id })).send).toBe('4');
});
