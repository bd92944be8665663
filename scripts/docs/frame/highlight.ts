import { isAmong } from '../search/excerpt.ts';

/** More marks would hide what they mark. */
const most = 200;

const wordPattern = /[\p{L}\p{N}_]+/gu;

/**
 * The places of words in a part of a page, in the order of the page.
 *
 * @param name - a text that is exactly this comes first, as the name of a field does
 */
export function findRanges(part: Range, words: readonly string[], name?: string): Range[] {
  const wanted = new Set(words);
  const ranges: Range[] = [];
  let exact: Range | undefined;
  for (const text of textsIn(part)) {
    const isName = text.data.trim().toLowerCase() === name;
    for (const { index, 0: word } of text.data.matchAll(wordPattern)) {
      if (!isName && !isAmong(word, wanted)) continue;
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (isName) exact ??= range;
      if (ranges.length < most) ranges.push(range);
    }
  }
  return exact ? [exact, ...ranges.filter((range) => range !== exact)] : ranges;
}

function textsIn(part: Range): Text[] {
  const root = part.commonAncestorContainer;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const isShown = node.parentElement?.closest('script, style, svg') === null;
    if (node instanceof Text && isShown && part.intersectsNode(node)) texts.push(node);
  }
  return texts;
}
