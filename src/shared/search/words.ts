/** Words that only form a question. Nearly every page has them. */
const questionWords = new Set(
  (
    'a an and are be can could did do does for from happen happens have how i if in is it may me my of on or our should ' +
    'than that the there this to was we what when where which who why will with would you your'
  ).split(' '),
);

/** The words of a text. A name such as `deals.changePipeline` or `get-list` is one of them. */
export function namesIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:[._:/@'’-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** The words of a text, and the parts of its names. */
export function wordsOf(text: string): string[] {
  return namesIn(text).flatMap((name) => {
    const parts = name.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length > 1 ? [name, ...parts.filter((part) => part.length > 1)] : [name];
  });
}

/** The form of a word that is compared: without case and English endings. `null` for a word that only forms a question. */
export function termOf(word: string): string | null {
  const lower = word.toLowerCase();
  if (questionWords.has(lower)) return null;
  return lower
    .replace(/^(.{2,})ies$/, '$1y')
    .replace(/^(.{2,}[^s])s$/, '$1')
    .replace(/^(.{3,}?)(?:ing|ion|ed|e)$/, '$1');
}

/** The terms of a text, and of the parts of its names. */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => termOf(word) ?? []);
}
