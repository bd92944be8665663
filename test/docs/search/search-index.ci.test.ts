import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../../docs/src/search/excerpt.ts';
import { describeAnswer } from '../../../docs/src/search/site-search.ts';
import { readProductReference } from '../../../scripts/docs/facts/product-reference.ts';
import { listPages } from '../../../scripts/docs/pages/list.ts';
import { listSections } from '../../../scripts/docs/starlight/search-sections.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { SearchIndex } from '../../../src/shared/search/search-index.ts';
import synonyms from '../../../src/shared/search/synonyms.json' with { type: 'json' };

const sections = listSections(listPages(specNames.map((name) => readProductReference(loadSpec(name)))));
const index = await SearchIndex.create(sections);

/**
 * Readers' questions with an address of an answer, which has to be among the first three pages. An address that ends with `#` means
 * any section of the page.
 */
const questions: [typed: string, answer: string][] = [
  ['pagenation', '/guides/lists/'],
  ['move deal to another stage', '/crm/deals/change-pipeline/'],
  ['webhook signature', '/reference/cannot/#'],
  ['unsubscribe webhooks', '/reference/cannot/#'],
  ['delete a pipeline', '/reference/cannot/#'],
  ['node 18', '/guides/messages/#'],
  ['typescript version', '/guides/install/'],
  ['sandbox in CI', '/guides/sandbox/'],
  ['base url', '/guides/options-reference/'],
  ['react hook', '/guides/tanstack-query/'],
  ['cors', '/guides/messages/#'],
  ['cancel request abort', '/guides/options-reference/'],
  ['mock for storybook', '/guides/storybook/'],
  ['auth.apiKey is missing or empty', '/guides/messages/#'],
  ['could not connect to 127.0.0.1:4012', '/guides/messages/#'],
  ["Cannot find module 'carillon'", '/guides/messages/#'],
  ['EADDRINUSE', '/guides/messages/#'],
  // The same in other words.
  ['deals.changePipeline', '/crm/deals/change-pipeline/'],
  ['get-list', '/crm/deals/list/'],
  ['opne', '/reference/not-documented/'],
  ['3087', '/reference/errors/#3087'],
  ['how many emails per second', '/reference/not-documented/#how-many-requests-are-allowed'],
  ['undo a sent campaign', '/reference/cannot/#'],
  ['rotate the secret', '/reference/cannot/#'],
  ['install', '/guides/install/'],
  ['logging', '/guides/errors-reference/#hooks-and-logs'],
  ['python', '/reference/downloads/'],
  ['webhooks', '/reference/cannot/#'],
  ['restore a deleted contact', '/reference/cannot/#'],
  ['lost deal', '/guides/deals/'],
  ['failReasonId', '/crm/deals/update/'],
  ['createDeal', '/crm/deals/create/'],
  ['attachments_binary', '/email/messages/send/'],
  ['rate limit', '/reference/not-documented/#how-many-requests-are-allowed'],
  ['openapi', '/reference/downloads/'],
  ['swagger', '/reference/downloads/'],
  ['download', '/reference/downloads/'],
  ['postman', '/reference/downloads/'],
  ['push title limit', '/messaging/push/campaigns/create/'],
  ['unsubcribe', '/email/unsubscribes/add/'],
  ['blackl', '/messaging/blacklist/add/'],
  ['what happens when a response is lost', '/guides/errors/#was-a-request-processed-if-its-response-is-lost'],
  ['phone format not documented', '/reference/not-documented/#which-format-do-phone-numbers-have'],
  ['retry after 503', '/guides/errors/'],
  ['idempotency key', '/guides/errors/'],
  ['duplicate charge after timeout', '/guides/errors/'],
  ['how do I authenticate', '/guides/authentication/'],
  ['refresh token expired', '/guides/authentication/'],
  ['share token between servers', '/guides/authentication/'],
  ['custom fields', '/guides/own-fields/'],
  ['import csv', '/guides/import-contacts/'],
  ['excel export', '/guides/export-contacts/'],
  ['excel import', '/guides/import-contacts/'],
  ['newsletter to contacts with a tag', '/guides/campaign/#contacts-as-recipients'],
  ['send newsletter', '/guides/campaign/#contacts-as-recipients'],
  ['why 422', '/guides/errors/#why-was-it-rejected'],
  ['test a failing payment', '/guides/sandbox/#clock-faults-and-snapshots'],
  ['send html mail with attachment', '/guides/send-email/'],
  ['bounced emails', '/email/bounces/list/'],
  ['whatsapp template', '/messaging/campaigns/create/'],
  ['schedule a campaign for tomorrow', '/messaging/campaigns/create/'],
  ['push notification to website', '/messaging/push/campaigns/create/'],
  ['mcp server claude', '/guides/agents/'],
  ['cli install', '/guides/terminal/'],
  ['postgres queue', '/guides/jobs/'],
  ['resume after crash', '/guides/jobs/'],
  ['dead worker', '/guides/jobs/'],
  ['opentelemetry', '/guides/errors-reference/#'],
  ['proxy corporate', '/guides/proxies/'],
  ['self signed certificate', '/guides/proxies/'],
  ['jest esm', '/guides/jest/'],
  ['msw', '/guides/sandbox/#in-the-browser-with-msw'],
  ['vitest', '/guides/sandbox/'],
  ['next js server component', '/guides/nextjs/'],
  ['infinite scroll', '/guides/tanstack-query/'],
  ['bundle size', '/guides/options/#import-one-product-only'],
  ['tree shaking import only crm', '/guides/options/#import-one-product-only'],
  ['commonjs require', '/guides/install/#commonjs'],
  ['deno bun', '/guides/install/'],
  ['freeze time in a test', '/guides/sandbox/'],
  ['simulate failure', '/guides/sandbox/'],
  ['empty state', '/guides/scenarios/'],
  ['merge duplicates', '/reference/cannot/#'],
  ['sms', '/reference/cannot/#'],
  ['breaking change upgrade', '/guides/upgrade/'],
  ['abort signal', '/guides/errors-reference/#'],
  ['deal status', '/guides/deals/'],
  ['find contact by email', '/crm/contacts/list-by-email/'],
  ['assign tag to contact', '/crm/tags/assign/'],
  ['add note', '/crm/deals/comments/create/'],
  ['who is unsubscribed', '/email/unsubscribes/list/'],
  ['DKIM', '/reference/cannot/#'],
];

/** Names and menu labels, whose page must be the first result. */
const names: [typed: string, first: string][] = [
  ['changePipeline', '/crm/deals/change-pipeline/'],
  ['change pipeline', '/crm/deals/change-pipeline/'],
  ['api.crm.deals.changePipeline()', '/crm/deals/change-pipeline/'],
  ['changeDealPipeline', '/crm/deals/change-pipeline/'],
  ['POST /deals/get-list', '/crm/deals/list/'],
  ['/crm/v1/contacts/get-list-by-email', '/crm/contacts/list-by-email/'],
  ['get-contact', '/crm/contacts/get/'],
  ['how do I send an email?', '/email/messages/send/'],
  ['export contacts csv', '/guides/export-contacts/'],
  ['delete a contact', '/crm/contacts/delete/'],
  ['push-campaign-quota', '/reference/rules/'],
  ['authentification', '/guides/authentication/'],
  ['error codes', '/reference/errors/'],
  ['pagination', '/guides/lists/'],
  ['jest', '/guides/jest/'],
  ['timeout', '/guides/options/'],
];

const addresses = (typed: string, count: number): string[][] =>
  index
    .find(typed)
    .pages.slice(0, count)
    .map(({ url, sections: found }) => [url, ...found.map((section) => section.url)]);

describe('the search', () => {
  it.each(questions)('%s: an answer is among the first three pages', (typed, answer) => {
    const found = addresses(typed, 3);
    const isAnswer = (address: string) => (answer.endsWith('#') ? address.startsWith(answer) : address === answer);
    expect(found.flat().filter(isAnswer), JSON.stringify(found)).not.toEqual([]);
  });

  it.each(names)('%s: its page is the first', (typed, first) => {
    expect(addresses(typed, 1).flat()[0]).toBe(first);
  });

  it.each([
    ['zzzzzz', 'No page has: zzzzzz.'],
    ['3999', 'No page has: 3999.'],
    ['30870', 'No page has: 30870.'],
    ['?!', 'Nothing found.'],
  ])('%s: the reader learns that no page has it', (typed, status) => {
    const answer = index.find(typed);
    expect({ pages: answer.pages, status: describeAnswer(answer) }).toEqual({ pages: [], status });
  });

  it('a word that is on no page does not hide the others', () => {
    const answer = index.find('createDeal zzzzzz');
    expect(answer.pages[0]?.url).toBe('/crm/deals/create/');
    expect(describeAnswer(answer)).toMatch(/^No page has: zzzzzz\. \d+ pages?\.$/);
  });

  it('the rarest word of a question decides, however often a page has the others', () => {
    for (const common of ['contact deal email list', 'client api request response'])
      expect(addresses(`${common} dmarc`, 1).flat()).toContain('/reference/cannot/');
  });

  it('each synonym stands for words of the docs', () => {
    for (const words of Object.values(synonyms))
      for (const word of words.split(' ')) expect(index.find(word).pages, word).not.toEqual([]);
  });

  it('an excerpt shows the found words, in the part of the text that has the most of them', () => {
    const text = `${'Nothing here. '.repeat(60)}A deal moves to another pipeline. ${'And nothing here. '.repeat(60)}`;
    const pieces = excerptOf(text, new Set(['deal', 'pipelin']));
    expect(pieces.filter(({ isFound }) => isFound).map((piece) => piece.text)).toEqual(['deal', 'pipeline.']);
    expect(
      pieces
        .map((piece) => piece.text)
        .join('')
        .split(' ').length,
    ).toBeLessThan(30);
  });

  it('no excerpt contains words that only the search reads', () => {
    for (const { text } of sections) expect(text).not.toMatch(/<!--|throttling/);
  });
});
