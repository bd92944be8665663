import { termOf, wordsOf } from '../../../src/shared/search/words.ts';

/** A piece of an excerpt. */
interface Piece {
  text: string;
  /** Whether it is a word that was searched for. */
  isFound: boolean;
}

/** Number of words in an excerpt. */
const maxWords = 26;

/** The part of a text with the most different searched words, in pieces. */
export function excerptOf(text: string, terms: ReadonlySet<string>): Piece[] {
  const words = text.split(/\s+/).map((word) => ({
    text: word,
    term: wordsOf(word)
      .map(termOf)
      .find((term) => term !== null && terms.has(term)),
  }));
  const found = (start: number): number =>
    new Set(words.slice(start, start + maxWords).flatMap(({ term }) => term ?? [])).size;
  let best = 0;
  for (let start = 0, most = found(0); start < words.length - maxWords; start += 4) {
    const count = found(start);
    if (count > most) [best, most] = [start, count];
  }
  const shown = words.slice(best, best + maxWords);
  const pieces = shown.flatMap((word, at): Piece[] => [
    ...(at > 0 ? [{ text: ' ', isFound: false }] : []),
    { text: word.text, isFound: word.term !== undefined },
  ]);
  const ellipsis = { text: '…', isFound: false };
  return [...(best > 0 ? [ellipsis] : []), ...pieces, ...(best + maxWords < words.length ? [ellipsis] : [])];
}
