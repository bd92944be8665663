import { describe, expect, it } from 'vitest';
import { foundWords, plain, readExcerpt } from '../../../docs/src/search/excerpt.ts';

const sentence = 'Campaigns can be created, listed and read.';

describe('an excerpt', () => {
  it('has the found words, and text without markup', () => {
    expect(readExcerpt('A reply of type &lt;Deal&gt; <mark>contains</mark> at most 100 items & more.')).toEqual([
      { text: 'A reply of type <Deal> ', isFound: false },
      { text: 'contains', isFound: true },
      { text: ' at most 100 items & more.', isFound: false },
    ]);
  });

  it.each([
    ['whole', `⟦ <mark>cancel</mark> <mark>campaign</mark> ⟧ ${sentence}`],
    ['from their middle', `<mark>cancel</mark>, stop ⟧ ${sentence}`],
    ['to their middle', `${sentence} ⟦ cancel, <mark>stop</mark>`],
  ])('leaves out words that only the search knows: %s', (_, excerpt) => {
    expect(readExcerpt(excerpt)).toEqual([{ text: sentence, isFound: false }]);
  });

  it.each(['⟦ cancel stop ⟧', 'Few words.', ''])('is empty if only few letters are left: %s', (excerpt) => {
    expect(readExcerpt(excerpt)).toEqual([]);
  });

  it('returns the found words', () => {
    expect(foundWords("the <mark>'RateLimitError'))</mark> of <mark>deals.create()</mark>")).toEqual([
      'ratelimiterror',
      'dealscreate',
    ]);
  });

  it('compares words without case and diacritics', () => {
    expect(plain('/deals/get-List')).toBe('dealsgetlist');
  });
});
