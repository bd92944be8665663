import { expect, test } from 'vitest';
import { type Contents, compareData, type Kept } from '../../../scripts/release/data/compare.ts';
import { tablesOf } from '../../../scripts/release/data/program.ts';
import { forEach, type Mutation, testMutations } from './mutations.ts';

const version = '1.0.0';
const tables: Contents = {
  'crm.deals': {
    'ID 501': { id: 501, name: 'Renewal', price: 12.5, tags: ['VIP', 'new'], closedAt: null },
    'ID 502': { id: 502, name: 'Offer', price: 0, tags: [], closedAt: '2026-11-04' },
  },
  'crm.settings': { settings: { nextId: 9_001, tariff: 'paid' } },
};
const steps: Contents = {
  steps: {
    'c-1 contact': { done: 3001 },
    'c-2 contact': { lookedUp: '7d', values: { firstName: 'Bo', lastName: 'Björk' } },
    'c-3 contact': { sent: '8e' },
  },
};
const rows: Contents = { rows: { 'Row-1': 'done, once at the service', 'Row-2': 'done, once at the service' } };

const written = [
  ['a data folder of carillon-sandbox', tables],
  ['a snapshot', tables],
  ['a journal', steps],
  ['a database of jobs', rows],
] as const;
const base: Kept[] = written.map(([what, contents]) => ({
  ...{ version, what, written: contents },
  opened: { contents: structuredClone(contents) },
}));
const all = written.map(([what]) => what);

function opened(data: Kept[], what: string): Contents {
  const found = data.find((one) => one.what === what)?.opened ?? expect.unreachable();
  return 'contents' in found ? found.contents : expect.unreachable();
}

function record(data: Kept[], what: string, table: string, key: string): Record<string, unknown> {
  return Object(opened(data, what)[table]?.[key]);
}

function refuse(data: Kept[], what: string, refusal: string): void {
  Object.assign(data.find((one) => one.what === what) ?? {}, { opened: { refusal } });
}

type Change = Mutation<Kept[]>;
const ofSandbox = all.slice(0, 2);

const breaking: Change[] = [
  ...forEach(all, 'a program fails', (data: Kept[], what) =>
    refuse(data, what, 'TypeError: x is not a function\n    at open (index.js:1)'),
  ),
  ...forEach(all, 'a refusal says what to do', (data: Kept[], what) =>
    refuse(data, what, 'This was written by version 1. Export it with version 1 first.'),
  ),
  ...forEach(ofSandbox, 'a table is gone', (data: Kept[], what) => delete opened(data, what)['crm.deals']),
  ...forEach(ofSandbox, 'a record is gone', (data: Kept[], what) => delete opened(data, what)['crm.deals']?.['ID 502']),
  ...forEach(
    ofSandbox,
    'a field is gone',
    (data: Kept[], what) => delete record(data, what, 'crm.deals', 'ID 501').name,
  ),
  ...forEach(ofSandbox, 'a value is another', (data: Kept[], what) => {
    record(data, what, 'crm.deals', 'ID 501').price = 12;
  }),
  ...forEach(ofSandbox, 'an item of a list is gone', (data: Kept[], what) => {
    record(data, what, 'crm.deals', 'ID 501').tags = ['VIP'];
  }),
  ...forEach(ofSandbox, 'a setting is gone', (data: Kept[], what) => {
    delete record(data, what, 'crm.settings', 'settings').tariff;
  }),
  ...forEach(
    Object.keys(steps.steps ?? {}),
    'a step is gone',
    (data: Kept[], key) => delete opened(data, 'a journal').steps?.[key],
  ),
  [
    'a done step is sent again',
    (data) => Object.assign(opened(data, 'a journal').steps ?? {}, { 'c-1 contact': { sent: '9f' } }),
  ],
  [
    'a started step has lost its marker',
    (data) => (record(data, 'a journal', 'steps', 'c-2 contact').lookedUp = 'new'),
  ],
  [
    'a step that was not done has another marker',
    (data) => (record(data, 'a journal', 'steps', 'c-3 contact').sent = 'new'),
  ],
  ...forEach(
    ['done, 2 times at the service', 'done, 0 times at the service', 'not done, once at the service'],
    'a row ends as',
    (data: Kept[], end) => {
      Object.assign(opened(data, 'a database of jobs').rows ?? {}, { 'Row-2': end });
    },
  ),
  ['a row is gone', (data) => delete opened(data, 'a database of jobs').rows?.['Row-2']],
  ['a number has become a text', (data) => (record(data, 'a snapshot', 'crm.deals', 'ID 501').price = '12.5')],
];

const harmless: Change[] = [
  ...forEach(ofSandbox, 'a field has another name', (data: Kept[], what) => {
    const deal = record(data, what, 'crm.deals', 'ID 501');
    deal.title = deal.name;
    delete deal.name;
  }),
  ...forEach(ofSandbox, 'a new field', (data: Kept[], what) => {
    record(data, what, 'crm.deals', 'ID 501').currency = 'EUR';
  }),
  ...forEach(ofSandbox, 'an empty field is left out', (data: Kept[], what) => {
    delete record(data, what, 'crm.deals', 'ID 501').closedAt;
  }),
  ...forEach(
    ofSandbox,
    'a new table',
    (data: Kept[], what) => (opened(data, what)['crm.boards'] = { 'ID 1': { id: 1 } }),
  ),
  ...forEach(ofSandbox, 'a new record', (data: Kept[], what) =>
    Object.assign(opened(data, what)['crm.deals'] ?? {}, { 'ID 503': { id: 503 } }),
  ),
  ...forEach(ofSandbox, 'a new setting', (data: Kept[], what) => {
    record(data, what, 'crm.settings', 'settings').currency = 'EUR';
  }),
  ...forEach(ofSandbox, 'values are in a new group', (data: Kept[], what) => {
    const deal = record(data, what, 'crm.deals', 'ID 502');
    deal.amount = { price: deal.price, currency: 'EUR' };
    delete deal.price;
  }),
  ...forEach(ofSandbox, 'fields have another order', (data: Kept[], what) => {
    const deals = opened(data, what)['crm.deals'] ?? {};
    deals['ID 501'] = { note: '', ...Object.fromEntries(Object.entries(Object(deals['ID 501'])).reverse()) };
  }),
  ['a new step', (data) => Object.assign(opened(data, 'a journal').steps ?? {}, { 'c-9 contact': { done: 1 } })],
  ['a step has more to say', (data) => (record(data, 'a journal', 'steps', 'c-1 contact').since = '2026')],
  [
    'the values of a step have other names',
    (data) => {
      record(data, 'a journal', 'steps', 'c-2 contact').values = { first: 'Bo', last: 'Björk' };
    },
  ],
  ['a new row', (data) => Object.assign(opened(data, 'a database of jobs').rows ?? {}, { 'Row-3': 'planned' })],
];

testMutations(base, (_, next) => compareData(next), { breaking, harmless });

function linesOf(change: (data: Kept[]) => void) {
  const next = structuredClone(base);
  change(next);
  return compareData(next).map(({ impact, place, sentence }) => [impact, place, sentence]);
}

test('a refusal with advice becomes the sentence of the line', () => {
  expect(linesOf((data) => refuse(data, 'a journal', 'It has format 1. Finish its steps with version 1.'))).toEqual([
    [
      'break',
      'a journal of 1.0.0',
      'A journal that 1.0.0 wrote is not opened: It has format 1. Finish its steps with version 1.',
    ],
  ]);
});

test('a failure without advice is reported as a failure', () => {
  expect(linesOf((data) => refuse(data, 'a snapshot', 'state.crm.deals[0]: Unrecognized key: "x"'))).toEqual([
    [
      'break',
      'a snapshot of 1.0.0',
      'A snapshot that 1.0.0 wrote makes the program fail without advice: state.crm.deals[0]: Unrecognized key: "x".',
    ],
  ]);
});

test('lost data are counted, and the first loss is named', () => {
  const [line] = linesOf((data) => delete record(data, 'a snapshot', 'crm.deals', 'ID 501').name);
  expect(line?.at(-1)).toBe(
    '1 of 2 records of crm.deals have silently lost values in a snapshot of 1.0.0, such as name ("Renewal") of ID 501.',
  );
});

test('a row that was sent twice is named', () => {
  const [line] = linesOf((data) =>
    Object.assign(opened(data, 'a database of jobs').rows ?? {}, { 'Row-2': 'done, 2 times at the service' }),
  );
  expect(line?.at(-1)).toContain('such as Row-2: done, 2 times at the service (expected: done, once at the service).');
});

test('the tables of a snapshot have their records by ID or index', () => {
  const state = { crm: { deals: [{ id: 7 }, { name: 'x' }], settings: { nextId: 1 } }, tokens: [{ token: 't' }] };
  expect(tablesOf({ state })).toEqual({
    'crm.deals': { 'ID 7': { id: 7 }, '1': { name: 'x' } },
    'crm.settings': { settings: { nextId: 1 } },
    tokens: { '0': { token: 't' } },
  });
});
