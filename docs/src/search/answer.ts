import { closest } from '../../../src/shared/closest.ts';
import { wordsOf } from './question.ts';

/** The index of the pages. A search for several words finds pages that contain all of them. */
export interface SearchIndex<Page> {
  /** Whether a page contains the word, a form of it, or a longer word that begins with it. */
  has(word: string): Promise<boolean>;
  /** The pages with all words, best first. */
  find(words: readonly string[]): Promise<Page[]>;
}

/** Replacements for words that are on no page. */
export interface Replacements {
  /** Names and words of the docs. */
  names: readonly string[];
  /** Readers' words and the docs' words for the same thing. */
  synonyms: Readonly<Record<string, string>>;
}

export interface Answer<Page> {
  pages: Page[];
  /** Words searched for: without question words, with replacements. */
  words: string[];
  /** Words of the reader that are on no page. */
  unknown: string[];
  /** Words left out because no page has all words. */
  omitted: string[];
}

/** Finds pages for a question, or for the part of it that the pages can answer. */
export async function answer<Page>(
  question: string,
  index: SearchIndex<Page>,
  replacements: Replacements,
): Promise<Answer<Page>> {
  const asked = wordsOf(question);
  const known = await Promise.all(asked.map((word) => index.has(word)));
  const unknown = asked.filter((_, at) => !known[at]);
  const words = await Promise.all(asked.map((word, at) => (known[at] ? [word] : replace(word, index, replacements))));
  return { unknown, ...(await findMost([...new Set(words.flat())], index)) };
}

/**
 * Replaces a word that is on no page with a synonym, the nearest name, or its parts. Numbers are not replaced, because
 * another code would be a wrong answer.
 */
async function replace(
  word: string,
  index: SearchIndex<unknown>,
  { names, synonyms }: Replacements,
): Promise<string[]> {
  if (/^\d+$/.test(word)) return [];
  const key = word.toLowerCase();
  const candidates = [
    Object.hasOwn(synonyms, key) ? synonyms[key]?.split(' ') : undefined,
    [nearest(word, names)],
    partsOf(word),
  ];
  for (const candidate of candidates) {
    const words = candidate?.filter((part) => part !== undefined) ?? [];
    const known = await Promise.all(words.map((part) => index.has(part)));
    if (words.length > 0 && known.every(Boolean)) return words;
  }
  return [];
}

/** Among names with equal distance, prefers the one of nearest length: `opne` means `open`, not `one`. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const difference = (name: string): number => Math.abs(name.length - word.length);
  return closest(
    word,
    names.toSorted((one, other) => difference(one) - difference(other)),
  );
}

/** `get-contact` and `getContact` → `get`, `Contact`. */
function partsOf(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== '');
}

/** If no page has all words, drops words one by one, the most common first, because rare words are more specific. */
async function findMost<Page>(
  words: string[],
  index: SearchIndex<Page>,
): Promise<Pick<Answer<Page>, 'pages' | 'words' | 'omitted'>> {
  const pages = words.length > 0 ? await index.find(words) : [];
  if (pages.length > 0 || words.length < 2) return { pages, words, omitted: [] };
  const counted = await Promise.all(words.map(async (word) => ({ word, count: (await index.find([word])).length })));
  const commonest = counted.toSorted((one, other) => other.count - one.count).map(({ word }) => word);
  for (const word of commonest) {
    const rest = words.filter((other) => other !== word);
    const found = await index.find(rest);
    if (found.length > 0) return { pages: found, words: rest, omitted: [word] };
  }
  const [first = ''] = commonest;
  const { omitted, ...found } = await findMost(
    words.filter((word) => word !== first),
    index,
  );
  return { ...found, omitted: [first, ...omitted] };
}

/** Tells the reader which words were replaced or left out, and how many pages were found. */
export function describeAnswer({ pages, words, unknown, omitted }: Answer<unknown>): string {
  const missing = [
    unknown.length > 0 && `No page has: ${unknown.join(', ')}.`,
    omitted.length > 0 && `No page has all words. Left out: ${omitted.join(', ')}.`,
    (unknown.length > 0 || omitted.length > 0) && words.length > 0 && `Showing: ${words.join(' ')}.`,
    (unknown.length === 0 || words.length > 0) && count(pages.length),
  ];
  return missing.filter((text) => text !== false).join(' ');
}

function count(pages: number): string {
  if (pages === 0) return 'Nothing found.';
  return pages === 1 ? '1 page.' : `${pages} pages.`;
}
