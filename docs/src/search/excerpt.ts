/** A piece of an excerpt. */
export interface Piece {
  text: string;
  /** It is a word that was looked for. */
  isFound: boolean;
}

/** A shorter excerpt does not tell a reader what a section is about. */
const fewest = 40;

/**
 * The pieces of an excerpt of the index, without words that only the search knows: these stand between ⟦ and ⟧.
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

/** The words that an excerpt marks, without punctuation, in lower case. */
export function foundWords(excerpt: string): string[] {
  return Array.from(excerpt.matchAll(/<mark>(.*?)<\/mark>/g), ([, word = '']) => plain(word));
}

/** A word in the form in which the index compares words. */
export function plain(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
