import { describe, expect, it } from 'vitest';
import { answer, describeAnswer, type Replacements, type SearchIndex } from '../../../docs/src/search/answer.ts';

const texts = {
  create: 'create a deal createDeal deals.create',
  open: 'open points of a deal',
  errors: 'errors 3087 3084',
  one: 'one contact',
  zone: 'time zone of a contact',
};

const replacements: Replacements = {
  names: ['createDeal', 'deals.create', 'one', 'open', '3087', 'contact', 'unwritten'],
  synonyms: { opportunity: 'deal', timezone: 'time zone', constructor: 'contact', phantom: 'nowhere' },
};

/** Pages by name. A page has a word if one of its words begins with it. */
const index: SearchIndex<string> = {
  has: async (word) => pagesWith(word).length > 0,
  find: async (words) => Object.keys(texts).filter((page) => words.every((word) => pagesWith(word).includes(page))),
};

function pagesWith(word: string): string[] {
  return Object.entries(texts)
    .filter(([, text]) => text.split(' ').some((own) => own.toLowerCase().startsWith(word.toLowerCase())))
    .map(([page]) => page);
}

async function ask(question: string) {
  const found = await answer(question, index, replacements);
  return { pages: found.pages, text: describeAnswer(found) };
}

describe('an answer', () => {
  it('has the pages with all words of the question', async () => {
    expect(await ask('how do I create a deal?')).toEqual({ pages: ['create'], text: '1 page.' });
  });

  it('completes a word that is still being typed', async () => {
    expect(await ask('creat')).toEqual({ pages: ['create'], text: '1 page.' });
  });

  it.each([
    ['opne', 'No page has: opne. Showing: open. 1 page.', ['open']],
    ['createDael', 'No page has: createDael. Showing: createDeal. 1 page.', ['create']],
    ['open opportunity', 'No page has: opportunity. Showing: open deal. 1 page.', ['open']],
    ['Timezone', 'No page has: Timezone. Showing: time zone. 1 page.', ['zone']],
    [
      'create-contact',
      'No page has: create-contact. No page has all words. Left out: contact. Showing: create. 1 page.',
      ['create'],
    ],
  ])('names the replacement of a word that is on no page: %s', async (question, text, pages) => {
    expect(await ask(question)).toEqual({ pages, text });
  });

  it('leaves out a word without a replacement, and names it', async () => {
    expect(await ask('createDeal zzzzzz')).toEqual({
      pages: ['create'],
      text: 'No page has: zzzzzz. Showing: createDeal. 1 page.',
    });
  });

  it.each(['3999', '3088', '30870'])(
    'takes the number %s as a name, because another number would be wrong',
    async (number) => {
      expect(await ask(number)).toEqual({ pages: [], text: `No page has: ${number}.` });
    },
  );

  it.each(['unwriten', 'phantom'])('never shows a replacement that is on no page: %s', async (word) => {
    expect(await ask(word)).toEqual({ pages: [], text: `No page has: ${word}.` });
  });

  it('takes no inherited property as a synonym', async () => {
    const { unknown, words } = await answer('toString', index, replacements);
    expect({ unknown, words }).toEqual({ unknown: ['toString'], words: [] });
  });

  it.each([
    ['open contact deal', ['open'], 'contact', 'open deal'],
    ['contact deal 3087', ['errors'], 'contact, deal', '3087'],
  ])(
    'leaves out as few words as possible, the most common first, if no page has all: %s',
    async (question, pages, left, words) => {
      const text = `No page has all words. Left out: ${left}. Showing: ${words}. 1 page.`;
      expect(await ask(question)).toEqual({ pages, text });
    },
  );

  it('is empty for a question without words', async () => {
    expect(await ask('?!')).toEqual({ pages: [], text: 'Nothing found.' });
  });

  it('fails if the index fails', async () => {
    const broken: SearchIndex<string> = { ...index, has: () => Promise.reject(new Error('offline')) };
    await expect(answer('deal', broken, replacements)).rejects.toThrow('offline');
  });
});
