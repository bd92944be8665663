import type { Query } from 'minisearch';
import synonyms from './synonyms.json' with { type: 'json' };
import { isFiller, normalise, partsOf, splitWords } from './words.ts';

/** How much a synonym counts beside the reader's own word. */
const synonymWeight = 0.5;
/** How much a whole name counts beside its parts. */
const nameWeight = 3;

const table = new Map<string, readonly string[]>(
  Object.entries(synonyms).map(([words, others]) => [phraseOf(words.split(' ')), others]),
);
const longestPhrase = Math.max(...[...table.keys()].map((phrase) => phrase.split(' ').length));

/** What a reader asks, as queries of MiniSearch: one for each word or known phrase. */
export function readQuestion(text: string, { isFinished = false } = {}): Query[] {
  const typed = text.split(/\s+/).filter((word) => splitWords(word).length > 0);
  const words = typed.filter((word) => !isFiller(word.toLowerCase()));
  const asked = words.length > 0 ? words : typed;
  const queries: Query[] = [];
  for (let place = 0; place < asked.length; ) {
    const phrase = findPhrase(asked, place);
    const length = phrase?.length ?? 1;
    const isLast = place + length === asked.length && !isFinished;
    queries.push(queryWords(asked.slice(place, place + length), phrase?.others ?? [], isLast));
    place += length;
  }
  return queries;
}

/** The longest phrase of the table that begins here. */
function findPhrase(words: string[], place: number): { length: number; others: readonly string[] } | undefined {
  for (let length = Math.min(longestPhrase, words.length - place); length > 0; length -= 1) {
    const others = table.get(phraseOf(words.slice(place, place + length)));
    if (others) return { length, others };
  }
  return undefined;
}

function phraseOf(words: string[]): string {
  return words.map(normalise).join(' ');
}

/** The words themselves, or one of their synonyms. The word that is still being typed may be the beginning of one. */
function queryWords(words: string[], others: readonly string[], isLast: boolean): Query {
  const own = words.map((word) => queryWord(word, isLast));
  const synonym = others.map((other) => allOf(splitWords(other).map((word) => exactly(word, synonymWeight))));
  return { combineWith: 'OR', queries: [allOf(own), ...synonym] };
}

function queryWord(word: string, isLast: boolean): Query {
  const parts = partsOf(word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  const queries = parts.map((part) => leniently(part, isLast));
  return parts.length === 1
    ? allOf(queries)
    : { combineWith: 'OR', queries: [exactly(word, nameWeight), allOf(queries)] };
}

function allOf(queries: Query[]): Query {
  return { combineWith: 'AND', queries };
}

function exactly(word: string, weight: number): Query {
  return { queries: [word], prefix: false, fuzzy: false, boostTerm: () => weight };
}

/** Finds a word that is typed incompletely or with an error. A number is a name: another number is another thing. */
function leniently(word: string, isLast: boolean): Query {
  const isNumber = /\d/.test(word);
  return { queries: [word], prefix: isLast && word.length > 1, fuzzy: !isNumber && word.length > 4 ? 0.2 : false };
}
