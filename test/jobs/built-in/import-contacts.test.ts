import { describe, expect, it, test } from 'vitest';
import { importContacts } from '../../../src/jobs/built-in/import-contacts.ts';
import type { Fault, Sandbox } from '../../../src/sandbox/index.ts';
import { ada, header, planOne } from './contact-file.ts';
import { runRow } from './in-process.ts';

/** The contacts that the import created, without the IDs of their details. */
function created({ state }: Sandbox) {
  return [...state.crm.contacts.values()]
    .filter(({ record }) => record.id > 10_000)
    .map(({ record, phones, emails, messengers, tags, values }) => ({
      ...record,
      phones: phones.map(({ phone }) => phone),
      emails: emails.map(({ email, isMain }) => [email, isMain]),
      messengers: messengers.map(({ typeId, login }) => [typeId, login]),
      tags,
      values,
    }));
}

const expected = {
  id: expect.any(Number),
  responsibleId: 77,
  firstName: 'Ada',
  lastName: 'Adler',
  externalContactId: 'marker-c-1-contact',
  phones: ['+1 555 0100', '+1 555 0101'],
  emails: [
    ['ada@example.com', true],
    ['a.adler@example.com', false],
  ],
  messengers: [
    [1, 'ada'],
    [2, 'adler'],
  ],
  tags: [15, 16],
  values: [
    { attributeId: 310, value: '1990-05-14 00:00' },
    { attributeId: 311, value: '["Tea"]' },
  ],
};

test('a row of a CSV file becomes one contact with all its values', async () => {
  const { sandbox, run } = await planOne(`${header}\n${ada}\n`);
  await run();
  expect(created(sandbox)).toEqual([expected]);
});

test('a row of an NDJSON file becomes the same contact', async () => {
  const row = {
    key: 'c-1',
    firstName: 'Ada',
    lastName: 'Adler',
    phones: ['+1 555 0100', '+1 555 0101'],
    emails: ['ada@example.com', 'a.adler@example.com'],
    messengers: [
      { typeId: 1, login: 'ada' },
      { typeId: 2, login: 'adler' },
    ],
    tags: ['VIP', 16],
    attributes: { Birthday: '1990-05-14 00:00', Interests: ['Tea'] },
  };
  const { sandbox, run } = await planOne(`${JSON.stringify(row)}\n`, 'contacts.ndjson');
  await run();
  expect(created(sandbox)).toEqual([expected]);
});

const requests = [
  { operation: 'createContact', step: 'contact' },
  { operation: 'createContactEmails', step: 'emails' },
  { operation: 'createContactPhone', step: 'phone 1' },
  { operation: 'createContactPhone', nth: 2, step: 'phone 2' },
  { operation: 'createContactMessenger', step: 'messenger 1' },
  { operation: 'createContactMessenger', nth: 2, step: 'messenger 2' },
  { operation: 'assignTag', nth: 2, step: 'tag 2' },
] as const;

describe.each(requests)('$step', ({ step, ...request }) => {
  it.each([
    ['its response is lost', { drop: 'after' }, true],
    ['its request is lost', { drop: 'before' }, false],
  ] satisfies [string, Fault, boolean][])('is done once if %s', async (_, fault, isFound) => {
    const { sandbox, run } = await planOne(`${header}\n${ada}\n`);
    sandbox.faults.add({ ...request, ...fault });
    const { found } = await run();
    expect(Object.keys(found)).toEqual([step]);
    expect(found[step]?.outcome).toBe(isFound ? 'done' : 'not done');
    expect(created(sandbox)).toEqual([expected]);
  });
});

test("finds a lost contact by the user's own ID", async () => {
  const { sandbox, run } = await planOne('externalContactId,lastName,phone\nown-7,Adler,1 555\n');
  sandbox.faults.add({ operation: 'createContact', drop: 'after' });
  const { results, found } = await run();
  expect(found.contact).toEqual({ outcome: 'done', result: results.contact });
  expect(created(sandbox)).toMatchObject([{ externalContactId: 'own-7', phones: ['1 555'] }]);
});

test("a row with a user's ID that an older contact has is rejected, and nothing is sent", async () => {
  const { sandbox, run } = await planOne('externalContactId,firstName,lastName\nimport-2026-11,Ben,Ito\n');
  await expect(run()).rejects.toThrow('contact 3002 already has the externalContactId of this row');
  expect(created(sandbox)).toEqual([]);
});

test('does not add a phone again if the service stored it in another form', async () => {
  const { sandbox, row, options, api } = await planOne('key,lastName,phones\nc-1,Adler,0151 5550100\n');
  const changed = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const response = await sandbox.fetch(input, init);
    return new Response((await response.text()).replace('0151 5550100', '+491515550100'), response);
  };
  sandbox.faults.add({ operation: 'createContactPhone', drop: 'after' });
  const run = runRow(importContacts, row, options, api.withOptions({ fetch: changed }));
  await expect(run).rejects.toThrow(/does not show whether contact \d+ has these phones/);
  expect(created(sandbox)).toMatchObject([{ phones: ['0151 5550100'] }]);
});
