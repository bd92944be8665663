import { create } from './box-parts.ts';
import type { Hit } from './engine.ts';
import { kinds } from './entry.ts';
import { excerptOf, markWords, type Piece } from './excerpt.ts';

/** A hit as an option of the list. It is a link, so that a reader can also open it in another tab. */
export function showHit({ entry, words }: Hit, place: number, address: URL): HTMLElement {
  const option = create('a', {
    id: `carillon-hit-${place}`,
    role: 'option',
    href: address.href,
    tabindex: '-1',
    class: 'carillon-hit',
  });
  option.append(
    line('carillon-hit-kind', [{ text: kinds[entry.kind].label, isFound: false }]),
    line('carillon-hit-title', markWords(entry.title, words)),
    line('carillon-hit-place', markWords(entry.place, words)),
    line('carillon-hit-text', excerptOf(entry.text, words)),
  );
  return option;
}

function line(name: string, pieces: Piece[]): HTMLElement {
  const element = create('span', { class: name });
  element.append(
    ...pieces.map(({ text, isFound }) => {
      if (!isFound) return text;
      const mark = create('mark');
      mark.textContent = text;
      return mark;
    }),
  );
  return element;
}
