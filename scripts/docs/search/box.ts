import { showWords } from '../frame/arrival.ts';
import { type BoxParts, createBox } from './box-parts.ts';
import type { Ask, Hit } from './engine.ts';
import { addressOf, wordsToShow } from './links.ts';
import { showHit } from './show-hit.ts';

const introduction = 'Operations, methods, fields, error codes, rules, guides and the package.';

/** The dialog of the search: a combobox whose list has the hits as links. */
export class SearchBox {
  readonly #root: URL;
  readonly #parts: BoxParts = createBox();
  #ask: Ask | undefined;
  #hits: Hit[] = [];
  #active = 0;

  /** @param root - address of the site */
  constructor(root: URL) {
    this.#root = root;
    const { dialog, input, list } = this.#parts;
    input.addEventListener('input', () => this.#search());
    input.addEventListener('keydown', (event) => this.#onKey(event));
    list.addEventListener('click', (event) => this.#onClick(event));
    dialog.addEventListener('click', ({ target }) => {
      // A click on the dialog itself is one beside its content.
      if (target === dialog) dialog.close();
    });
    document.body.append(dialog);
    this.say('Loading the index …');
  }

  open(): void {
    const { dialog, input } = this.#parts;
    if (!dialog.open) dialog.showModal();
    input.select();
  }

  /** Answers questions from now on, and the one that is typed already. */
  use(ask: Ask): void {
    this.#ask = ask;
    this.#search();
  }

  say(text: string): void {
    this.#parts.status.textContent = text;
  }

  #search(): void {
    const { input, list } = this.#parts;
    if (!this.#ask) return;
    this.#hits = this.#ask(input.value);
    list.replaceChildren(
      ...this.#hits.map((hit, place) => showHit(hit, place, addressOf(hit, this.#root, new URL(location.href)))),
    );
    list.scrollTop = 0;
    input.setAttribute('aria-expanded', String(this.#hits.length > 0));
    this.#activate(0);
    this.say(this.#describe(input.value.trim()));
  }

  #describe(question: string): string {
    if (question === '') return introduction;
    if (this.#hits.length === 0) return `Nothing found for “${question}”. Try another word.`;
    return this.#hits.length === 1 ? '1 result' : `${this.#hits.length} results`;
  }

  #activate(place: number): void {
    const { input, list } = this.#parts;
    this.#active = place;
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(index === place));
    }
    const option = list.children[place];
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  }

  #onKey(event: KeyboardEvent): void {
    const count = this.#hits.length;
    const moves: Record<string, number> = { ArrowDown: this.#active + 1, ArrowUp: this.#active - 1 + count };
    const next = moves[event.key];
    if (next !== undefined && count > 0) this.#activate(next % count);
    // In a search field, browsers only clear the text.
    else if (event.key === 'Escape') this.#parts.dialog.close();
    else if (event.key === 'Enter') this.#parts.list.querySelector<HTMLElement>('[aria-selected="true"]')?.click();
    else return;
    event.preventDefault();
  }

  #onClick(event: MouseEvent): void {
    const option = event.target instanceof Element ? event.target.closest('a') : null;
    const hit = option ? this.#hits[[...this.#parts.list.children].indexOf(option)] : undefined;
    // With a modifier, the browser opens another tab.
    if (!option || !hit || event.ctrlKey || event.metaKey || event.shiftKey) return;
    this.#parts.dialog.close();
    if (new URL(option.href).pathname !== location.pathname || option.hash === '') return;
    // On the same page, only the place changes.
    event.preventDefault();
    location.hash = option.hash;
    showWords(wordsToShow(hit));
  }
}
