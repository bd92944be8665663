import { expect, it } from 'vitest';
import { methods } from '../../../src/cli/catalogue/index.ts';
import { concernedBy, effectOf, reasonToAsk, whenAsked } from '../../../src/cli/catalogue/needs-consent.ts';

const named = (name: string) => methods.find((method) => method.name === name) ?? expect.fail(name);

it('every method that sends or cannot be undone asks; with its example, no other method asks', () => {
  const asking = methods.filter((method) => reasonToAsk(method, [method.example]) !== undefined);
  const expected = methods.filter(({ effect, undo }) => effect === 'send' || undo === 'none');
  expect(asking.map(({ name }) => name)).toEqual(expected.map(({ name }) => name));
  expect(asking.length).toBeGreaterThan(20);
});

it('methods marked as never asking never ask, and those marked as always asking always do', () => {
  for (const method of methods) {
    const reason = reasonToAsk(method, [method.example]);
    if (whenAsked(method) === 'never') expect(reason, method.name).toBeUndefined();
    if (whenAsked(method) === 'always') expect(reason, method.name).toBeDefined();
  }
});

it('removing a link that can be made again does not ask', () => {
  for (const name of ['crm.tags.unassign', 'crm.deals.contacts.remove', 'messaging.blacklist.remove'])
    expect(reasonToAsk(named(name), [named(name).example])).toBeUndefined();
});

it('adds up the people of a set of calls', () => {
  const add = named('messaging.blacklist.add');
  const phones = Array.from({ length: 6 }, (_, at) => 15_550_100_000 + at);
  expect(reasonToAsk(add, [{ phones }])).toBeUndefined();
  expect(reasonToAsk(add, [{ phones }, { phones }])).toBe('affects 12 people');
});

it('cannot count the people of a group, and counts no group that is not named', () => {
  const create = named('messaging.campaigns.create');
  expect(concernedBy(create, [{ recipients: [15_550_100_123] }, { recipients: [], address_book: null }])).toBe(1);
  expect(concernedBy(create, [{ recipients: [15_550_100_123] }, { address_book: 4400 }])).toBe(Infinity);
  expect(concernedBy(named('messaging.push.campaigns.create'), [{ website_id: 42 }])).toBe(Infinity);
});

it.each<[string, unknown]>([
  ['an object', { 0: 'a@example.com' }],
  ['a text', 'a@example.com,b@example.com'],
  ['a number', 5],
  ['null', null],
  ['a list of lists', [['a@example.com', 'b@example.com']]],
  ['a list in an item', [{ email: ['a@example.com', 'b@example.com'] }]],
  ['a text with several addresses in an item', [{ email: 'a@example.com, b@example.com' }]],
])('asks if the people are %s, because it cannot count them', (_, emails) => {
  const reason = 'affects an unknown number of people';
  expect(reasonToAsk(named('email.unsubscribes.add'), [{ emails }])).toBe(reason);
});

it('takes a call for harmless only by a value of the documented type', () => {
  const setState = named('messaging.push.subscribers.setState');
  for (const state of ['0', '1', 1, null, [0], true])
    expect([state, effectOf(setState, { state })]).toEqual([state, 'send']);
  expect(effectOf(setState, { state: 0 })).toBe('write');
});
