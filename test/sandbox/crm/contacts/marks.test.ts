import { expect, test } from 'vitest';
import { start } from '../../support.ts';
import { choicesOf, testMarks } from '../marks.ts';

const attribute = { name: 'Birthday', order: 1 };
const wholeAttribute = { ...attribute, type: 2, status: 1, mandatory: false, contactCardShow: true };
const mandatory = { name: 'Source', type: 0, mandatory: true };
const chatbot = { typeId: 1, login: 'a', isMainChatbot: true };

testMarks([
  [
    'omitted-fields-kept',
    [['PUT /contacts/attributes/310', attribute]],
    [['PUT /contacts/attributes/310', wholeAttribute]],
  ],
  [
    'omitted-fields-kept',
    [['PUT /contacts/3001', { responsibleId: 77 }]],
    [['PUT /contacts/3001', { responsibleId: 77, firstName: 'Ann', lastName: 'Kowal' }]],
  ],
  ['omitted-fields-kept', [['PUT /contact-tags/15', { name: 'A' }]], [['PUT /contact-tags/16', { name: 'A' }]]],
  ['listed-by-order', [['GET /deals/501/attributes']], [['GET /contacts/3002/attributes']]],
  ['listed-by-age', [['GET /contact-tags']], [['GET /boards']]],
  ['listed-by-age', [['GET /users']], [['GET /deals/501/contacts']]],
  ['payment-fields', [['GET /payments/deals/501']], [['GET /payments/contacts/3002']]],
  ['contact-details-as-records', [['GET /contacts/3001']], [['POST /contacts/create', { responsibleId: 77 }]]],
  [
    'contact-details-as-records',
    [['POST /contacts/get-list', { ids: [3001] }]],
    [
      ['POST /contacts/create', { responsibleId: 77 }],
      ['POST /contacts/get-list', { ids: [10001] }],
    ],
  ],
  ['contact-deleted', [['DELETE /contacts/3001']], [['DELETE /contacts/3002']]],
  [
    'attribute-without-effect',
    [
      ['POST /contacts/attributes', mandatory],
      ['POST /contacts/create', { responsibleId: 77 }],
    ],
    [['POST /contacts/attributes', mandatory]],
  ],
  [
    'attribute-without-effect',
    [
      ['PUT /contacts/attributes/310', { ...attribute, status: 2 }],
      ['PUT /contacts/3001/attributes/310', { value: '1990-05-15 00:00' }],
    ],
    [['PUT /contacts/3001/attributes/310', { value: '1990-05-15 00:00' }]],
  ],
  [
    'numeric-text',
    [
      ['POST /contacts/attributes', { name: 'Visits', type: 1 }],
      ['POST /contacts/3001/attributes', { attributeId: 10001, value: '7' }],
    ],
    [['PUT /contacts/3001/attributes/310', { value: '1990-05-15 00:00' }]],
  ],
  [
    'contact-attribute-deleted',
    [['DELETE /contacts/attributes/310']],
    [['POST /contacts/attributes', mandatory], ['DELETE /contacts/attributes/10001']],
  ],
  [
    'link-url',
    [
      ['POST /contacts/attributes', { name: 'Site', type: 3 }],
      ['POST /contacts/3001/attributes', { attributeId: 10001, value: 'https://example.com' }],
    ],
    [['POST /contacts/attributes', { name: 'Site', type: 3 }]],
  ],
  [
    'contact-attribute-batch',
    [['POST /contacts/3001/attributes/batch', { attributesValues: Array(2).fill({ attributeId: 311, value: '[]' }) }]],
    [['POST /contacts/3001/attributes/batch', { attributesValues: [{ attributeId: 311, value: '[]' }] }]],
  ],
  [
    'contact-attribute-value-set-again',
    [['POST /contacts', { responsibleId: 77, attributes: Array(2).fill({ attributeId: 311, value: '[]' }) }]],
    [['POST /contacts', { responsibleId: 77, attributes: [{ attributeId: 311, value: '[]' }] }]],
  ],
  [
    'contact-legacy-attribute-type',
    [['POST /contacts', { responsibleId: 77, attributes: [{ name: 'Remarks', value: 'x' }] }]],
    [['POST /contacts', { responsibleId: 77, attributes: [{ name: 'Remarks', value: 'x', type: 0 }] }]],
  ],
  [
    'contact-main-chatbot',
    [['POST /contacts/3001/messengers', { typeId: 1, login: 'a' }]],
    [['POST /contacts/3001/messengers', chatbot]],
  ],
  [
    'contact-main-chatbot',
    [
      ['POST /contacts/3001/messengers', chatbot],
      ['POST /contacts/3001/messengers', chatbot],
    ],
    [['POST /contacts', { responsibleId: 77 }]],
  ],
  [
    'contact-main-chatbot',
    [['POST /contacts', { responsibleId: 77, messengers: [{ typeId: 1, login: 'a' }] }]],
    [['PUT /contacts/3001/messengers/6301', { typeId: 1, login: 'a' }]],
  ],
  [
    'contact-main-email',
    [['POST /contacts/3001/emails', { emails: [{ email: 'a@example.com' }] }]],
    [['POST /contacts/3001/emails', { emails: [{ email: 'a@example.com', isMain: false }] }]],
  ],
  ['tag-names', [['POST /contact-tags', { name: 'VIP' }]], [['POST /contact-tags', { name: 'vip' }]]],
  ['tag-name-and-search', [['GET /contact-tags?name=']], [['GET /contact-tags?name=VIP']]],
  ['tag-deleted', [['DELETE /contact-tags/15']], [['DELETE /contact-tags/16']]],
  ['tag-contact-count-unnamed', [['GET /contacts/3001']], [['GET /contacts/3002']]],
  [
    'contact-condition-strings',
    [['POST /contacts/get-list', { fieldValueConditions: [{ field: 'tags', expression: 'eq', value: 'VIP' }] }]],
    [['POST /contacts/get-list', { fieldValueConditions: [{ field: 'tags', expression: 'empty' }] }]],
  ],
  ['contact-sort-default', [['POST /contacts/get-list']], [['POST /contacts/get-list', { ids: [3001] }]]],
  [
    'contact-filter-combination',
    [['POST /contacts/get-list', { firstName: '' }]],
    [['POST /contacts/get-list', { firstName: 'A' }]],
  ],
  [
    'contact-filter-combination',
    [['POST /contacts/get-list', { tagIds: [15, 16] }]],
    [['POST /contacts/get-list', { tagIds: [15] }]],
  ],
]);

test('the page size is a choice only if it omits contacts', async () => {
  const search = { email: 'example.com', isEmailFullSearch: true };
  for (const [path, body] of [
    ['/contacts/get-list', {}],
    ['/contacts/get-list-by-email', search],
  ] as const) {
    expect(await choicesOf(start({ seed: 98 }).sandbox, [`POST ${path}`, body])).not.toContain('contact-page-size');
    expect(await choicesOf(start({ seed: 99 }).sandbox, [`POST ${path}`, body])).toContain('contact-page-size');
  }
});
