/** Words that only form the question. Nearly every page has them. */
const questionWords = new Set(
  (
    'a an and are be can could did do does for happen happens how i if in is it may my of on or our should ' +
    'than that the there this to was we what when where which who why will with would you your'
  ).split(' '),
);

/** Words that belong to a preceding "how": "how many". */
const quantities = new Set(['big', 'fast', 'large', 'long', 'many', 'much', 'often']);

/** The content words of a question. If all are question words, returns all. */
export function wordsOf(question: string): string[] {
  const words = question
    .split(/\s+/)
    .map(trimPunctuation)
    .filter((word) => word !== '');
  const searched = words.filter((word, at) => !isQuestionWord(word) && !isQuantity(word, words[at - 1]));
  return searched.length > 0 ? searched : words;
}

function isQuestionWord(word: string): boolean {
  return questionWords.has(word.toLowerCase().replace(/['’]s$/, ''));
}

function isQuantity(word: string, before = ''): boolean {
  return before.toLowerCase() === 'how' && quantities.has(word.toLowerCase());
}

/** `“deals.create()”,` → `deals.create`. Keeps punctuation inside names. */
function trimPunctuation(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
