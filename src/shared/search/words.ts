/** Words that only form a question. Nearly every page contains these words. */
const questionWords = new Set(
  (
    'a an and are be can could did do does for from happen happens have how i if in is it may me my of on or our should ' +
    'than that the there this to was we what when where which who why will with would you your'
  ).split(' '),
);

/** Returns the words of a text. A name such as `deals.changePipeline` or `get-list` is one word. */
export function namesIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:[._:/@'’-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Returns the words of a text, and the parts of identifiers in it, such as `send` and `email` for `sendEmail`. */
export function wordsOf(text: string): string[] {
  return namesIn(text).flatMap((name) => {
    const parts = name.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length > 1 ? [name, ...parts.filter((part) => part.length > 1)] : [name];
  });
}

/**
 * Returns the form in which a word is compared: in lower case and without English endings. Returns `null` for a question
 * word, such as `how`.
 */
export function termOf(word: string): string | null {
  const lower = word.toLowerCase();
  if (questionWords.has(lower)) return null;
  return lower
    .replace(/^(.{2,})ies$/, '$1y')
    .replace(/^(.{2,}[^s])s$/, '$1')
    .replace(/^(.{3,}?)(?:ing|ion|ed|e)$/, '$1');
}

/** Returns the terms of a text, and of the parts of identifiers in it. */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => termOf(word) ?? []);
}
