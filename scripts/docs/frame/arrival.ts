import { findRanges } from './highlight.ts';
import { findParameter } from './ids.ts';

/** In milliseconds. A reference page renders its operations only when they come into view. */
const patience = 8_000;

/** On the page that a hit leads to: shows the words that were found, at the place of the address. */
export function showFound(): void {
  const address = new URL(location.href);
  const words = address.searchParams.get(findParameter)?.split(' ').filter(Boolean) ?? [];
  if (words.length === 0) return;
  showWords(words);
  // The reader may want to bookmark the page without the search.
  address.searchParams.delete(findParameter);
  history.replaceState(history.state, '', address);
}

/** Highlights words in the part of the page that the anchor of the address names, and scrolls to the first of them. */
export function showWords(words: readonly string[]): void {
  const anchor = decodeURIComponent(location.hash.slice(1));
  const show = (): boolean => {
    const part = findPart(anchor);
    const ranges = part ? findRanges(part, words, isRendering(anchor) ? words[0] : undefined) : [];
    if (!part || (ranges.length === 0 && isRendering(anchor))) return false;
    highlight(ranges);
    // Without an anchor, the place is the top of the page.
    if (anchor !== '') scrollTo(part, ranges);
    return true;
  };
  if (show()) return;
  const observer = new MutationObserver(() => {
    if (show()) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), patience);
}

/** Redoc's anchors begin with a slash, and name sections that a script renders. */
function isRendering(anchor: string): boolean {
  return anchor.startsWith('/');
}

/** What an anchor refers to: all of a heading's section, the row of a rule, the section of an operation. */
function findPart(anchor: string): Range | undefined {
  if (anchor === '') return rangeOf(document.querySelector('main') ?? document.body);
  const target = isRendering(anchor)
    ? document.querySelector(`[data-section-id="${CSS.escape(anchor)}"]`)
    : document.getElementById(anchor);
  if (!target) return undefined;
  if (/^H[2-6]$/.test(target.tagName)) return sectionOf(target);
  return rangeOf(target.closest('tr, li') ?? target);
}

function rangeOf(element: Element): Range {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range;
}

/** From a heading to the next one of its level. */
function sectionOf(heading: Element): Range {
  const range = document.createRange();
  range.setStartBefore(heading);
  let last = heading;
  for (let next = heading.nextElementSibling; next && !/^H[1-6]$/.test(next.tagName); next = next.nextElementSibling)
    last = next;
  range.setEndAfter(last);
  return range;
}

/** Marks the ranges without changing the page, which other scripts render. */
function highlight(ranges: Range[]): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.set('carillon-found', new Highlight(...ranges));
}

/** Scrolls to the best word if it is out of view: an operation is longer than a screen. */
function scrollTo(part: Range, ranges: Range[]): void {
  const [best] = ranges;
  const element = (best ?? part).startContainer;
  const target = element instanceof Element ? element : element.parentElement;
  for (
    let folded = target?.closest('details:not([open])');
    folded;
    folded = folded.parentElement?.closest('details:not([open])') ?? null
  )
    folded.setAttribute('open', '');
  // After the page's own scrolling to the anchor.
  requestAnimationFrame(() => {
    const box = target?.getBoundingClientRect();
    if (box && (box.top < 60 || box.bottom > innerHeight)) target?.scrollIntoView({ block: 'center' });
  });
}
