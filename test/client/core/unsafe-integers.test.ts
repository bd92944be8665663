import { expect, test, vi } from 'vitest';
import { findUnsafeInteger, hasLongNumber } from '../../../src/client/core/read.ts';
import { createClient } from '../../../src/client/index.ts';
import fc, { samples } from '../../fast-check.ts';

/** A client whose service answers with texts, in turn. */
function answering(...texts: string[]) {
  const warn = vi.fn();
  const fetch = async () => new Response(texts.length > 1 ? texts.shift() : texts[0]);
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'k3y-value' },
    fetch,
    logger: { warn },
  });
  return { api, warn };
}

test('an ID above 2^53 in a reply causes one warning for each operation, with its place', async () => {
  const { api, warn } = answering('{"data":{"id":9007199254740993,"name":"Renewal"}}');
  for (let call = 0; call < 3; call += 1) await api.crm.deals.get({ dealId: 501 });
  await api.withOptions({ maxRetries: 0 }).crm.deals.get({ dealId: 501 });
  expect(warn.mock.calls).toEqual([
    [
      'carillon: the reply to GET /deals/{dealId} (getDeal) has an integer beyond 2^53 at data.id. JavaScript rounds it: do not use it as an ID',
      { operationId: 'getDeal' },
    ],
  ]);
  await api.crm.contacts.get({ contactId: 1 });
  expect(warn).toHaveBeenCalledTimes(2);
});

test('the first reply of an operation with such an ID causes the warning, even if earlier ones had none', async () => {
  const { api, warn } = answering(
    '{"data":{"id":1}}',
    '{"data":{"id":2,"note":"9007199254740993"}}',
    '{"data":{"id":-9007199254740993}}',
  );
  await api.crm.deals.get({ dealId: 1 });
  await api.crm.deals.get({ dealId: 2 });
  expect(warn).not.toHaveBeenCalled();
  await api.crm.deals.get({ dealId: 3 });
  expect(warn).toHaveBeenCalledTimes(1);
});

test('the place of the warning does not show the credential', async () => {
  const { api, warn } = answering('{"data":{"k3y-value":{"id":12345678901234567890}}}');
  await api.crm.deals.get({ dealId: 1 });
  expect(warn).toHaveBeenCalledTimes(1);
  expect(String(warn.mock.calls)).not.toContain('k3y-value');
});

test.each([
  ['9007199254740991', undefined],
  ['9007199254740992', ''],
  ['-9007199254740992', ''],
  ['0.12345678901234567', undefined],
  ['1.5e300', ''],
  ['1e999', undefined],
  ['"9007199254740993"', undefined],
  ['{"9007199254740993":1}', undefined],
  ['[[{"a b":[1,12345678901234567890]}]]', '[0][0]["a b"][1]'],
])('finds in %s the integer at %j', (text, place) => {
  expect(findUnsafeInteger(JSON.parse(text))).toBe(place);
});

test('finds an integer at any depth', () => {
  const depth = 20_000;
  const text = `${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`;
  expect(findUnsafeInteger(JSON.parse(text))).toBe('[0]'.repeat(depth));
});

test('a text has a long number exactly if it has 16 digits in a row where a number can begin', () => {
  const part = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'019a:,[{"-. '), maxLength: 12 }),
  );
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (given) => {
      expect(hasLongNumber(given)).toBe(/(?:^|[:[,\s-])\d{16}/.test(given));
    }),
    { numRuns: samples(100) },
  );
});

test('digits in a string are read once, however many there are', () => {
  const charCodeAt = vi.spyOn(String.prototype, 'charCodeAt');
  const text = `{"text":"${'7'.repeat(100_000)}","id":12345678901234567}`;
  expect(hasLongNumber(text)).toBe(true);
  expect(charCodeAt.mock.calls.length).toBeLessThan(2 * text.length);
});
