import { describe, expect, it } from 'vitest';
import { createSearch } from '../../../../scripts/docs/search/engine.ts';
import type { Entry, Kind } from '../../../../scripts/docs/search/entry.ts';
import synonyms from '../../../../scripts/docs/search/synonyms.json' with { type: 'json' };
import { siteEntries, siteSearch } from './entries.ts';

describe('the search of the docs', () => {
  it.each<[question: string, kind: Kind, title: string, href: RegExp]>([
    ['3087', 'code', '3087', /^errors\.html#3087$/],
    ['createDeal', 'operation', 'Create a deal', /^crm\.html#\/deals\/createdeal$/],
    ['crm.deals.create', 'operation', 'Create a deal', /createdeal$/],
    ['deals.changePipeline', 'operation', 'Move a deal to another pipeline', /changedealpipeline$/],
    ['POST /deals', 'operation', 'Create a deal', /createdeal$/],
    ['push title limit', 'field', 'title', /createpushcampaign$/],
    ['lost deal', 'rule', 'Update a deal', /^rules\.html#deal-fail-/],
    ['how do I send an email?', 'operation', 'Send an email', /sendemailmessage$/],
    ['export contacts csv', 'guide', 'Export all contacts', /^guide-export-contacts\.html$/],
    ['push-campaign-quota', 'rule', 'Create a web push campaign', /#push-campaign-quota$/],
    ['errors and retries', 'guide', 'Errors and retries', /^guide-errors\.html$/],
    ['retry', 'guide', 'What the client does automatically', /^guide-errors\.html#/],
    ['stable order of a list', 'page', 'Is the order of a list stable from page to page?', /^open\.html#page-order$/],
    ['any-credential', 'choice', 'any-credential', /^rules\.html#any-credential$/],
  ])('answers “%s” first', (question, kind, title, href) => {
    const [first] = siteSearch()(question);
    expect(first?.entry).toMatchObject({ kind, title, href: expect.stringMatching(href) });
  });

  it.each([
    ['creatDeal', 'Create a deal'],
    ['unsubcribe', 'Unsubscribe addresses'],
    ['blackl', 'Add phone numbers to the blacklist'],
  ])('understands a word with an error or without its end: %s', (question, title) => {
    const titles = siteSearch()(question).map(({ entry }) => entry.title);
    expect(titles.slice(0, 5)).toContain(title);
  });

  it('takes a number for a name: another number is no answer', () => {
    expect(siteSearch()('3999')).toEqual([]);
  });

  it('prefers some of the words to no answer', () => {
    const [first] = siteSearch()('createDeal zzzzzz');
    expect(first?.entry.title).toBe('Create a deal');
  });

  it.each(['', '   ', '?!'])('finds nothing for “%s”', (question) => {
    expect(siteSearch()(question)).toEqual([]);
  });
});

describe('names of the package', () => {
  const deal: Entry = { kind: 'package', title: 'Deal', place: '', names: ['Deal'], text: 'A deal.', href: 'a.html' };
  const status: Entry = { ...deal, title: 'DealStatus', names: ['DealStatus'] };
  const operation: Entry = {
    ...deal,
    kind: 'operation',
    title: 'Get a deal',
    names: ['getDeal'],
    text: 'Deal status.',
  };
  const ask = createSearch([deal, status, operation]);

  it.each([
    ['deal', 'Get a deal'],
    ['dealStatus', 'DealStatus'],
  ])('come first if the question cannot be a word: %s finds %s', (question, title) => {
    expect(ask(question)[0]?.entry.title).toBe(title);
  });
});

describe('the synonyms', () => {
  const own = siteEntries();

  it.each(Object.entries(synonyms))('of “%s” are words of the docs, and lead to an answer', (words, others) => {
    // Each alone, in its exact form: one that nobody wrote is a mistake in the list.
    for (const other of others) {
      const text = own.some((entry) => contains(entry, other));
      expect(text, other).toBe(true);
    }
    expect(siteSearch()(words).length).toBeGreaterThan(0);
  });

  it('lead to an entry that does not contain the word of the reader', () => {
    const entry: Entry = {
      kind: 'page',
      title: 'Quota',
      place: '',
      names: [],
      text: 'Requests in an hour',
      href: 'a.html',
    };
    expect(createSearch([entry])('throttle').map((hit) => hit.entry)).toEqual([entry]);
  });
});

function contains({ title, place, names, text }: Entry, words: string): boolean {
  const all = [title, place, ...names, text].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => all.includes(word));
}
