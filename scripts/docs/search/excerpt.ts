import { normalise, splitWords } from './words.ts';

/** A piece of text, and whether it is one of the words that a search found. */
export interface Piece {
  text: string;
  isFound: boolean;
}

const length = 150;
const lead = 50;
const wordPattern = /([\p{L}\p{N}_]+)/gu;

/** The part of a text around the first word that was found, in one or two lines. */
export function excerptOf(text: string, words: readonly string[]): Piece[] {
  const line = text.replaceAll('`', '');
  const wanted = new Set(words);
  const first = [...line.matchAll(wordPattern)].find(([word]) => isAmong(word, wanted))?.index ?? 0;
  const start = first <= length - lead ? 0 : line.lastIndexOf(' ', first - lead) + 1;
  const isWhole = line.length - start <= length;
  const end = isWhole ? line.length : line.lastIndexOf(' ', start + length);
  return markWords(`${start > 0 ? '… ' : ''}${line.slice(start, end)}${isWhole ? '' : ' …'}`, words);
}

/** A text in pieces, so that what was found can be marked. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  const wanted = new Set(words);
  return text
    .split(wordPattern)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isFound: isAmong(piece, wanted) }));
}

/** Whether a word, or a part of it, is one of these. */
export function isAmong(word: string, wanted: ReadonlySet<string>): boolean {
  return splitWords(word).some((part) => wanted.has(normalise(part)));
}
