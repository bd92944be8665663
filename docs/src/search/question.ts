/** Words that make a question of what a reader looks for. Nearly every page has them. */
const questionWords = new Set(
  (
    'a an and are be can could did do does for happen happens how i if in is it may my of on or our should ' +
    'than that the there this to was we what when where which who why will with would you your'
  ).split(' '),
);

/** Words that belong to "how" in front of them: "how many". */
const quantities = new Set(['big', 'fast', 'large', 'long', 'many', 'much', 'often']);

/** The words of a question that say what is looked for. All words, if each only makes a question. */
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

/** `“deals.create()”,` → `deals.create`. Marks within a name stay. */
function trimPunctuation(word: string): string {
  return word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
