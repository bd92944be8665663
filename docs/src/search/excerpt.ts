/** A piece of an excerpt. */
export interface Piece {
  text: string;
  /** Whether it is a word that was searched for. */
  isFound: boolean;
}

/** Minimum length. A shorter excerpt does not show what a section is about. */
const fewest = 40;

/**
 * Splits an excerpt of the index into pieces. Omits the words between ⟦ and ⟧, which only the search uses.
 *
 * @param excerpt - text with `<mark>` around found words, and with `<` and `>` escaped
 */
export function readExcerpt(excerpt: string): Piece[] {
  const shown = excerpt
    // An excerpt may begin or end between the brackets.
    .replace(/^[^⟦⟧]*⟧/, '')
    .replace(/⟦[^⟧]*(?:⟧|$)/g, '')
    .trim();
  const pieces = shown.split(/(<mark>.*?<\/mark>)/).map((text) => ({
    text: text
      .replace(/^<mark>|<\/mark>$/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>'),
    isFound: text.startsWith('<mark>'),
  }));
  const letters = pieces.reduce((sum, { text }) => sum + text.length, 0);
  return letters < fewest ? [] : pieces.filter(({ text }) => text !== '');
}

/** The marked words of an excerpt, in lower case without punctuation. */
export function foundWords(excerpt: string): string[] {
  return Array.from(excerpt.matchAll(/<mark>(.*?)<\/mark>/g), ([, word = '']) => plain(word));
}

/** Normalises a word as the index does. */
export function plain(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
