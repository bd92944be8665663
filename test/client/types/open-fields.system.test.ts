import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { compile } from '../../support/compile.ts';
import { unknownFields } from '../contract/method-program.ts';

const guide = readFileSync(join(repositoryRoot, 'docs/guides/own-fields.md'), 'utf8');

/** Compiled alone, because a declaration applies to a whole program. */
const program = `import { expectTypeOf } from 'vitest';
import { createClient, type Crm, type Email, type Messaging } from 'carillon';

interface Phone { id: number; phone: string }
declare module 'carillon/crm' {
  interface ContactFields {
    phones?: Phone[];
    tags: string[];
    contract_number?: string;
    firstName?: string;
  }
  interface DealFields {
    attributes?: Crm.DealAttributeValue[];
  }
}
declare module 'carillon/messaging' {
  interface SubscriberFields {
    variables: { name: string }[];
  }
}
declare module 'carillon/email' {
  interface SendingDomainAddedFields {
    error: string | null;
  }
}

const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
function check(contact: Crm.Contact | undefined): void {
  if (contact === undefined) return;
  expectTypeOf(contact.phones?.[0]).toEqualTypeOf<Phone | undefined>();
  expectTypeOf(contact.tags).toEqualTypeOf<string[]>();
  expectTypeOf(contact.contract_number).toEqualTypeOf<string | undefined>();
  expectTypeOf(contact.emails?.[0]).toEqualTypeOf<unknown>();
  expectTypeOf(contact.id).toEqualTypeOf<number>();
}

const path = { contactId: 3001 };
check(await api.crm.contacts.get(path));
check((await api.crm.contacts.list()).data[0]);
check((await api.crm.contacts.list().toArray({ max: 5 }))[0]);
for await (const contact of api.crm.contacts.list()) check(contact);
for await (const page of api.crm.contacts.list().pages()) check(page.data[0]);
check((await api.crm.contacts.listByEmail({ email: 'ann@example.com' }))[0]);
check((await api.crm.GET('/contacts/{contactId}', { params: { path } })).data);
check((await api.crm.POST('/contacts/get-list', {})).data?.[0]);
const deal = await api.crm.deals.get({ dealId: 501 });
expectTypeOf(deal.attributes).toEqualTypeOf<Crm.DealAttributeValue[] | undefined>();
const subscriber: Messaging.Subscriber = (await api.messaging.push.websites.listSubscribers({ id: 1 })).data[0]!;
expectTypeOf(subscriber.variables).toEqualTypeOf<{ name: string }[]>();
const added: Email.DomainsAddResult = await api.email.domains.add({ domain: 'example.com' });
expectTypeOf(added.error).toEqualTypeOf<string | null>();
const domain = await api.email.POST('/v2/email-service/smtp/sender_domains/{domain}', { params: { path: { domain: 'example.com' } } });
expectTypeOf(domain.data?.error).toEqualTypeOf<string | null | undefined>();

const contact = { responsibleId: 2101, contract_number: 'C-1' };
await api.crm.contacts.create(contact);
await api.crm.contacts.createLegacy({ ...contact, phones: ['+15550100'], tags: [1] });
await api.crm.POST('/contacts', { body: { ...contact, phones: ['+15550100'], tags: [1] } });
await api.crm.deals.create({ pipelineId: 1, stepId: 11, attributes: [{ attributeId: 210, value: 'a' }] });
// @ts-expect-error bodies keep the documented form
await api.crm.contacts.createLegacy({ ...contact, phones: [{ id: 1, phone: '+15550100' }] });
// @ts-expect-error the documented body has no phones
await api.crm.contacts.create({ responsibleId: 2101, phones: [] });
// @ts-expect-error a misspelt field
expectTypeOf((await api.crm.contacts.get(path)).phone);
`;

test.each([false, true])(
  'a declaration of open fields applies to responses, by method and by path, and not to bodies (exactOptionalPropertyTypes: %s)',
  async (exactOptionalPropertyTypes) => {
    const sources = new Map([['open-fields.ts', program]]);
    expect(await compile({ sources, options: { exactOptionalPropertyTypes } })).toEqual([]);
  },
);

test('the guide lists each field of responses whose type is not documented', () => {
  const listed = [...guide.matchAll(/^\| `(\w+)Fields`.* \| (.+) \|$/gm)].flatMap(([, name, fields = '']) =>
    fields.split(', ').map((field) => `${name}.${field.replaceAll('`', '')}`),
  );
  const unknown = specNames.flatMap((name) => unknownFields(loadSpec(name)));
  expect(listed.sort()).toEqual(unknown.map(({ name, field }) => `${name}.${field}`).sort());
});

test('a declaration cannot change a documented type, and the guide shows what the compiler prints', async () => {
  const [, place, shown] = /^```text\n(.+?): error TS\d+: (.+)\n```$/m.exec(guide) ?? [];
  const wrong = `import 'carillon/crm';
declare module 'carillon/crm' {
  interface ContactFields {
    firstName?: number;
  }
}
`;
  const problems = await compile({ sources: new Map([['own-fields.ts', wrong]]) });
  expect(problems).toEqual([{ file: 'own-fields.ts', line: 4, message: expect.stringContaining(`${shown} at:`) }]);
  expect(place).toBe('own-fields.ts(4,5)');
});
