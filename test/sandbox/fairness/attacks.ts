import { maxComparisons } from '../../../src/sandbox/crm/contacts/contacts.ts';
import { maxMarks } from '../../../src/sandbox/json.ts';
import { maxSharedBody } from '../../../src/sandbox/shared-use.ts';

/** Slightly less than the largest body that a shared server accepts. */
const large = maxSharedBody - 2_000;

/** As many items as a body may have. `marks` is the number of marks that each of them needs. */
function items(marks: number, item: (index: number) => string): string {
  return Array.from({ length: Math.floor((maxMarks - 100) / marks) }, (_, index) => item(index)).join(',');
}

const deal = (more: string): string => `{"pipelineId":1,"stepId":11,"name":"x",${more}}`;
const contact = (more: string): string => `{"responsibleId":77,"firstName":"Ann",${more}}`;
const push = (more: string): string => `{"title":"t","website_id":42,"body":"b","ttl":60,${more}}`;
const email = (more: string): string =>
  `{"email":{"subject":"s","from":{"email":"sales@example.com"},"to":[{"email":"ann@example.com"}],${more}}}`;
const base64 = (length: number): string => 'QUJD'.repeat(Math.floor(length / 4));
const condition = (value: string): object => ({ field: 'phones', expression: 'gt', value });

const deals = 'POST /crm/v1/deals';
const emails = 'POST /smtp/emails';
const list = 'POST /crm/v1/contacts/get-list';

/**
 * Requests with which one user can keep a shared sandbox busy: method and path, the body, and whether each request has a key of
 * its own.
 */
export const attacks: Readonly<Record<string, readonly [request: string, body?: () => string, ofNewKeys?: boolean]>> = {
  'the first change of each of many keys': ['DELETE /crm/v1/deals/501', undefined, true],
  'a reset': ['POST /__sandbox/reset', () => JSON.stringify({ seed: 12_500 })],
  'an export': ['GET /__sandbox/state'],
  'a snapshot': ['PUT /__sandbox/snapshots/other'],
  'a restore': ['POST /__sandbox/snapshots/mine/restore'],
  'an import of many records': [
    'PUT /__sandbox/state',
    () => {
      const tags = Array.from({ length: 200_000 }, (_, index) => ({ id: index + 1_000, name: `Tag ${index}` }));
      return JSON.stringify({ state: { crm: { tags } } });
    },
  ],
  'an import of wrong records': [
    'PUT /__sandbox/state',
    () => `{"state":{"crm":{"deals":[${'[],'.repeat(2_500_000)}1]}}}`,
  ],
  'the log': ['GET /__sandbox/requests'],
  'a search in the log': ['GET /__sandbox/requests?text=nothing'],
  'a search in a table': ['GET /__sandbox/tables/crm.contacts?text=nothing'],
  'a contact filter with as many values as it may have': [
    list,
    () => JSON.stringify({ fieldValueConditions: Array.from({ length: maxComparisons }, (_, n) => condition(`${n}`)) }),
  ],
  'a contact filter with too many values': [
    list,
    () => JSON.stringify({ fieldValueConditions: Array.from({ length: 1_000 }, (_, n) => condition(`${n}`)) }),
  ],
  'a contact filter with one attribute many times': [
    list,
    () => JSON.stringify({ attributes: Array.from({ length: 4_900 }, () => ({ attributeId: 311, value: 'Tea' })) }),
  ],
  'a contact filter with many tags': [
    list,
    () => {
      const value = Array.from({ length: 20_000 }, (_, index) => String(index));
      return JSON.stringify({ fieldValueConditions: [{ field: 'tags', expression: 'in', value }] });
    },
  ],
  'contacts in the order of their names': [
    list,
    () => JSON.stringify({ sortBy: { fieldName: 'first_name', direction: 'desc' }, offset: 50_000 }),
  ],
  'a contact filter by texts': [list, () => JSON.stringify({ email: 'e', phone: '5' })],
  'an email list': ['GET /smtp/emails?limit=100&offset=90000'],
  'many addresses': [
    'POST /smtp/unsubscribe',
    () => `{"emails":[${items(4, (index) => `{"email":"a${index}@example.com"}`)}]}`,
  ],
  'nested lists': [deals, () => deal(`"own":[${items(2, () => '[]')}]`)],
  'too many nested lists': [deals, () => deal(`"own":[${'[],'.repeat(large / 3)}1]`)],
  'own fields': [deals, () => deal(Array.from({ length: 9_900 }, (_, index) => `"field${index}":1`).join(','))],
  'a long text': [deals, () => deal(`"own":"${'x'.repeat(large)}"`)],
  'a long text of escapes': [deals, () => deal(`"own":"${'\\"'.repeat(large / 2)}"`)],
  'a deal with many attributes': [
    deals,
    () => deal(`"attributes":[${items(5, () => '{"attributeId":61,"value":"a"}')}]`),
  ],
  'a contact with many phones': ['POST /crm/v1/contacts', () => contact(`"phones":[${items(1, (n) => `"+${n}"`)}]`)],
  'a large email': [emails, () => email(`"text":"t","html":"${base64(large)}"`)],
  'a large file': [emails, () => email(`"text":"t","html":"QUJD","attachments_binary":{"a":"${base64(large)}"}`)],
  'a generated text': [
    emails,
    () => email(`"auto_plain_text":true,"html":"${Buffer.from('<a> '.repeat(large / 6)).toString('base64')}"`),
  ],
  'many copies of an email': [
    emails,
    () => email(`"text":"t","html":"QUJD","cc":[${items(3, (index) => `{"email":"a${index}@example.com"}`)}]`),
  ],
  'a large image': ['POST /push/tasks', () => push(`"image":"iVBORw0KGgo${base64(large)}"`)],
  'JSON in a text': ['POST /push/tasks', () => push(`"buttons":"[${'[],'.repeat(large / 3)}1]"`)],
  'a body that is not JSON': [deals, () => '"'.repeat(large)],
  'a body that is too large': [deals, () => deal(`"own":"${'x'.repeat(2 * large)}"`)],
  'a long path': [`GET /x?${'?'.repeat(15_000)}`],
};
