import { describe, expect, it } from 'vitest';
import { replies } from '../../../generated/replies.ts';
import { looksLikeFieldName } from '../../../src/shared/observed/classes.ts';
import {
  type Account,
  addObserved,
  mergeObserved,
  type Observed,
  ObservedFileError,
  readObserved,
  type Shape,
  writeObserved,
} from '../../../src/shared/observed/observed.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';
import fc, { samples } from '../../fast-check.ts';

const products = Object.values(replies);
const { isKnown } = new Recorder(products);
const first = '00000000-0000-4000-8000-000000000001';
const second = '00000000-0000-4000-8000-000000000002';

function record(operationId: string, status: number, ...bodies: unknown[]): Account {
  const recorder = new Recorder(products);
  for (const body of bodies) recorder.record(operationId, status, body);
  return recorder.take();
}

function fieldsOf(account: Account, operationId: string, status: number, ...path: string[]): Shape | undefined {
  return path.reduce<Shape | undefined>(
    (shape, name) => (name === '[]' ? shape?.items : shape?.fields?.[name]),
    account[operationId]?.[status]?.body,
  );
}

describe('an observation', () => {
  it('contains types, classes and the number of records with a field', () => {
    const users = [{ id: 77, email: 'ann@example.com' }, { id: 78, email: null }, { id: 79 }];
    const user = fieldsOf(record('listUsers', 200, { data: users }), 'listUsers', 200, 'data', '[]');
    expect(user).toMatchObject({ types: { object: 3 }, replies: 1, multiple: 1 });
    expect(user?.fields).toMatchObject({
      id: { types: { integer: 3 }, integers: { '2-999': 3 } },
      email: { types: { null: 1, string: 1 }, texts: { email: 1 }, lengths: { '9-32': 1 } },
    });
  });

  it('contains the enum index of a documented value, and the class of any other value', () => {
    const deals = [1, 2, 99, 'won'].map((status) => ({ data: { id: 501, status } }));
    const status = fieldsOf(record('getDeal', 200, ...deals), 'getDeal', 200, 'data', 'status');
    expect(status?.values).toBeDefined();
    expect(status).toMatchObject({ otherValues: 2, integers: { '2-999': 1 }, texts: { text: 1 } });
  });

  it('contains an undocumented name only if it looks like a field and occurs in three records', () => {
    const user = (names: string[]): object => ({ id: 1, ...Object.fromEntries(names.map((name) => [name, 1])) });
    const body = {
      data: [
        user(['jobTitle', 'twice', 'once', 'ann@example.com', 'x9f8e7d6c5b4a3']),
        user(['jobTitle', 'twice', 'ann@example.com', 'x9f8e7d6c5b4a3']),
        user(['jobTitle', 'ann@example.com', 'x9f8e7d6c5b4a3']),
      ],
    };
    const users = fieldsOf(record('listUsers', 200, body), 'listUsers', 200, 'data', '[]');
    expect(Object.keys(users?.fields ?? {})).toEqual(['id', 'jobTitle']);
    expect(users?.unnamed).toBe(9);
  });

  it('waits in memory for the third record, over several writes', () => {
    const recorder = new Recorder(products);
    const takeAfter = (isLast = false): Shape | undefined => {
      recorder.record('listUsers', 200, { data: [{ id: 1, jobTitle: 'CEO', ...(isLast && { once: 1 }) }] });
      return fieldsOf(recorder.take({ isLast }), 'listUsers', 200, 'data', '[]');
    };
    for (const shape of [takeAfter(), takeAfter()]) {
      expect(Object.keys(shape?.fields ?? {})).toEqual(['id']);
      expect(shape?.unnamed).toBeUndefined();
    }
    expect(takeAfter()?.fields?.jobTitle).toMatchObject({ types: { string: 3 }, replies: 3 });
    expect(takeAfter()?.fields?.jobTitle).toMatchObject({ types: { string: 1 }, replies: 1 });
    expect(takeAfter(true)).toMatchObject({ unnamed: 1, fields: { jobTitle: { replies: 1 } } });
  });

  it('omits undocumented names inside the values of a map', () => {
    const variables = [{ city: { annkowal: 1 }, phone: [{ name: 'x', bobsmith: 1 }] }];
    const body = [{ id: 1, variables }];
    const account = record('listWebsiteSubscribers', 200, body, body, body);
    expect(JSON.stringify(account)).toContain('"name"');
    expect(JSON.stringify(account)).not.toMatch(/annkowal|bobsmith/);
  });

  const own = { ann_kowal: 'x', name: 'y' };
  it.each<[string, string, number, unknown]>([
    ['where the spec has them in a list', 'listWebsiteSubscribers', 200, [{ id: 1, variables: own }]],
    ['in lists in such a list', 'listWebsiteSubscribers', 200, [{ id: 1, variables: [[own]] }]],
    ['where only requests have them', 'getCampaign', 200, { data: { id: 1, variables: own } }],
    ['where only requests have them, at depth', 'getEmailMessage', 200, { id: 'a', template: { variables: own } }],
    ['in the details of a failure', 'createCampaign', 422, { errors: own }],
    ['in a failure with status 200', 'createCampaign', 200, { result: false, errors: own }],
    ['in an object in place of a list', 'listDealAttributeValues', 200, { data: own }],
  ])("omits the user's own names %s", (_, operationId, status, body) => {
    const written = (names: boolean): string => {
      const recorder = new Recorder(products, { names });
      for (let count = 0; count < 3; count += 1) recorder.record(operationId, status, body);
      return JSON.stringify(recorder.take());
    };
    expect(written(false)).not.toContain('ann_kowal');
    expect(written(true)).toContain('ann_kowal');
  });

  it('has only whole records of a long list, so that none seems to lack a field', () => {
    const data = Array.from({ length: 9_000 }, (_, id) => ({ id, firstName: 'Ann', lastName: 'Kowal' }));
    const user = fieldsOf(record('listUsers', 200, { data }), 'listUsers', 200, 'data', '[]');
    const records = user?.types.object ?? 0;
    expect(records).toBeGreaterThan(4_000);
    for (const name of ['id', 'firstName', 'lastName']) {
      const types = Object.values(user?.fields?.[name]?.types ?? {});
      expect(types).toEqual([records]);
    }
  });

  it('has at most 16 statuses of an operation, so that it can be read again', () => {
    const recorder = new Recorder(products);
    const taken = Array.from({ length: 20 }, (_, index) => recorder.record('listUsers', 400 + index, undefined));
    expect(taken.filter(Boolean)).toHaveLength(16);
    const text = writeObserved({ accounts: { [first]: recorder.take() } });
    expect(readObserved(text, 'it', isKnown)).toBeDefined();
  });

  it('ends early in an object with very many names', () => {
    const body = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`9${index}`, index]));
    expect(fieldsOf(record('listUsers', 200, body), 'listUsers', 200)?.unnamed).toBeLessThanOrEqual(40_000);
  });

  it("omits the user's own names without the option `names`", () => {
    const variables = [{ ann_kowal: 'x' }, { ann_kowal: 'y' }, { ann_kowal: 'z', name: 'city' }];
    const inside = (names: boolean): Shape | undefined => {
      const recorder = new Recorder(products, { names });
      recorder.record('listWebsiteSubscribers', 200, [{ id: 1, variables }]);
      return fieldsOf(recorder.take(), 'listWebsiteSubscribers', 200, '[]', 'variables', '[]');
    };
    expect(Object.keys(inside(false)?.fields ?? {})).toEqual(['name']);
    expect(inside(false)?.entries).toMatchObject({ types: { string: 3 } });
    expect(Object.keys(inside(true)?.fields ?? {})).toEqual(['ann_kowal', 'name']);
  });

  it('omits the undocumented names of an object with too many', () => {
    const names = Array.from(
      { length: 70 },
      (_, index) => `name${'abcdefghij'[index % 10]}${'klmnopq'[Math.floor(index / 10)]}`,
    );
    const users = [1, 2, 3].map((id) => ({ id, ...Object.fromEntries(names.map((name) => [name, 1])) }));
    const shape = fieldsOf(record('listUsers', 200, { data: users }), 'listUsers', 200, 'data', '[]');
    expect(Object.keys(shape?.fields ?? {})).toEqual(['id']);
    expect(shape).toMatchObject({ manyNames: true, unnamed: 210 });
  });

  it('has a limited size for any reply', () => {
    const recorder = new Recorder(products);
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) deep = { error: deep };
    recorder.record('listUsers', 500, deep);
    recorder.record('listUsers', 200, { data: Array.from({ length: 300_000 }, (_, id) => ({ id })) });
    const random = (index: number): unknown =>
      Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [
          `n${'abcdefgh'[at % 8]}o${'abcdefgh'[(at >> 3) % 8]}e`,
          index > 2 ? 1 : random(index + 1),
        ]),
      );
    recorder.record('listUsers', 404, random(1));
    recorder.record('listUsers', 700, {});
    recorder.record('noOperation', 200, {});
    const text = writeObserved({ accounts: { [first]: recorder.take() } });
    expect(text.length).toBeLessThan(1_500_000);
    expect(readObserved(text, 'it', isKnown)).toBeDefined();
    expect(text).not.toContain('noOperation');
  });
});

describe('the test for names of fields', () => {
  it.each(['id', 'firstName', 'contract_number', 'isMainChatbot', 'line2', 'URL', 'htmlBody', 'x-rate', 'address_1'])(
    'accepts words: %s',
    (name) => expect(looksLikeFieldName(name)).toBe(true),
  );
  it.each([
    '',
    '__proto__',
    'ann@example.com',
    '+15550100123',
    '15550100123',
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'QWxhZGRpbjpvcGVu',
    'dXNlcjpwYXNz',
    'd41d8cd98f00b204',
    'Ann Kowal',
    'a'.repeat(41),
    'xkcdqwrtpzzz',
    'tok2024abcd',
    'ключ',
  ])('refuses possible data: %s', (name) => expect(looksLikeFieldName(name)).toBe(false));
});

describe('merging', () => {
  const bodies = fc.array(
    fc.record({
      id: fc.oneof(fc.integer(), fc.constant(null), fc.string()),
      extra: fc.object({ maxDepth: 2 }),
      name: fc.constantFrom('jobTitle', 'team', 'officeName'),
    }),
    { maxLength: 6 },
  );
  const observed: fc.Arbitrary<Observed> = fc
    .tuple(fc.constantFrom(first, second), fc.array(bodies, { maxLength: 3 }), fc.constantFrom(200, 404, 500))
    .map(([id, replies, status]) => ({
      accounts: {
        [id]: record(
          'listUsers',
          status,
          ...replies.map((data) => ({ data: data.map(({ name, ...one }) => ({ ...one, [name]: 1 })) })),
        ),
      },
    }));
  const merge = (...all: Observed[]): string => writeObserved(mergeObserved(isKnown, ...all));
  const merged = (...all: Observed[]): Observed => mergeObserved(isKnown, ...all);

  it('is associative, commutative and idempotent', () => {
    fc.assert(
      fc.property(observed, observed, observed, (a, b, c) => {
        expect(merge(a, b)).toBe(merge(b, a));
        expect(merge(merged(a, b), c)).toBe(merge(a, merged(b, c)));
        expect(merge(a, a)).toBe(merge(a));
        expect(merge(merged(a, b), b)).toBe(merge(a, b));
      }),
      { numRuns: samples(20) },
    );
  });

  it('keeps accounts separate, and adds later observations', () => {
    const account = record('listUsers', 200, { data: [{ id: 1 }] });
    const both = merged({ accounts: { [first]: account } }, { accounts: { [second]: account } });
    expect(Object.keys(both.accounts)).toEqual([first, second]);
    const later = addObserved(isKnown, { accounts: { [first]: account } }, { accounts: { [first]: account } });
    expect(later.accounts[first]?.listUsers?.[200]).toMatchObject({ replies: 2, body: { types: { object: 2 } } });
  });

  it('drops undocumented names if their sum is too large', () => {
    const some = (from: number): Account => {
      const user = Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `field${'abcdefghij'[(from + at) % 10]}${'aeiouklmn'[Math.floor((from + at) / 10)]}`,
          1,
        ]),
      );
      return record('listUsers', 200, { data: [user, user, user] });
    };
    const both = merged({ accounts: { [first]: some(0) } }, { accounts: { [first]: some(40) } });
    const shape = fieldsOf(both.accounts[first] ?? {}, 'listUsers', 200, 'data', '[]');
    expect(shape).toMatchObject({ manyNames: true });
    expect(shape?.fields).toBeUndefined();
  });
});

describe('a file of observations', () => {
  const body = (shape: object): object => ({
    carillonObserved: 1,
    accounts: {
      [first]: {
        listUsers: { 200: { replies: 1, bodies: 1, body: { types: {}, replies: 1, multiple: 0, ...shape } } },
      },
    },
  });
  const nested = (level: number): object =>
    level === 0 ? {} : { items: { types: {}, replies: 0, multiple: 0, ...nested(level - 1) } };
  it.each<[string, unknown, RegExp]>([
    ['no JSON', undefined, /observed\.json is not JSON/],
    ['another file', { log: {} }, /observed\.json has no observations/],
    ['a later version', { carillonObserved: 2 }, /has version 2.*Update Carillon/],
    ['no accounts', { carillonObserved: 1 }, /accounts is not an object/],
    [
      'an account with a name',
      { carillonObserved: 1, accounts: { 'ann@example.com': {} } },
      /accounts has a name, number 1/,
    ],
    ['a count below zero', body({ multiple: -1 }), /multiple is not a whole number/],
    ['another class', body({ texts: { 's3cret-value': 1 } }), /texts has a name, number 1/],
    ['a field that is no name', body({ fields: { 'ann@example.com': {} } }), /fields has a name, number 1/],
    ['a value', body({ example: 's3cret-value' }), /has a field that observations do not have/],
    ['many levels', body(nested(20)), /more than 16 levels/],
  ])('is refused with its place if it has %s, and no message shows a value', (_, value, message) => {
    const text = value === undefined ? '{"s3cret-value' : JSON.stringify(value);
    expect(() => readObserved(text, 'observed.json', isKnown)).toThrow(ObservedFileError);
    expect(() => readObserved(text, 'observed.json', isKnown)).toThrow(message);
    expect(() => readObserved(text, 'observed.json', isKnown)).not.toThrow(/s3cret|ann@/);
  });
});
