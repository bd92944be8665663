import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../scripts/docs/search/entry.ts';
import { excerptOf, markWords } from '../../../../scripts/docs/search/excerpt.ts';
import { addressOf } from '../../../../scripts/docs/search/links.ts';
import { normalise, splitWords } from '../../../../scripts/docs/search/words.ts';

describe('words of the search', () => {
  it.each([
    ['deals.changePipeline', ['deals.changepipeline', 'deals', 'change', 'pipeline']],
    ['push-campaign-quota', ['push-campaign-quota', 'push', 'campaign', 'quota']],
    ['send_date', ['send_date', 'send', 'date']],
    ['{dealId}', ['dealid', 'deal', 'id']],
    ['HTTP 429.', ['http', '429']],
  ])('%s is found as a whole and by its parts', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it.each([
    ['deals', 'deal'],
    ['Replies', 'reply'],
    ['status', 'status'],
    ['address', 'address'],
    ['sms', 'sms'],
  ])('%s and %s are the same word', (word, form) => {
    expect(normalise(word)).toBe(form);
  });
});

describe('a hit', () => {
  const root = new URL('file:///site/');
  const long = `${'Nothing here. '.repeat(30)}The quota of campaigns is five. ${'Nothing there. '.repeat(30)}`;

  it('shows the part of a long text that was found', () => {
    const pieces = excerptOf(long, ['quota']);
    const text = pieces.map((piece) => piece.text).join('');
    expect(text).toMatch(/^… .*The quota of campaigns is five\..* …$/);
    expect(text.length).toBeLessThan(170);
    expect(pieces.filter(({ isFound }) => isFound).map((piece) => piece.text)).toEqual(['quota']);
  });

  it('marks names by their parts', () => {
    expect(markWords('Set failReasonId now', ['fail'])).toEqual([
      { text: 'Set', isFound: false },
      { text: ' ', isFound: false },
      { text: 'failReasonId', isFound: true },
      { text: ' ', isFound: false },
      { text: 'now', isFound: false },
    ]);
  });

  it('leads to its place with the words to show, the name of a field first', () => {
    const entry: Entry = {
      kind: 'field',
      title: 'buttons.text',
      place: '',
      names: [],
      text: '',
      href: 'a.html#/b/c',
    };
    const address = addressOf({ entry, words: ['limit', 'text'] }, root, new URL('b.html', root));
    expect(address.href).toBe('file:///site/a.html?find=text+limit#/b/c');
  });

  it.each([
    ['crm.html', 'file:///site/crm.html?find=deal#/deals/createdeal'],
    ['try.html', 'file:///site/try.html?operation=createDeal'],
  ])('on %s, an operation leads to %s', (page, address) => {
    const entry: Entry = {
      kind: 'operation',
      title: 'Create a deal',
      place: '',
      names: ['createDeal'],
      text: '',
      href: 'crm.html#/deals/createdeal',
    };
    expect(addressOf({ entry, words: ['deal'] }, root, new URL(page, root)).href).toBe(address);
  });
});
