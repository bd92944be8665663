import type { FoundPage, SearchIndex, SearchResults, Section } from '../../../src/shared/search/search-index.ts';
import { excerptOf } from './excerpt.ts';

/** Number of pages shown at first, and added by each "Show more". */
const pagesAtOnce = 10;

/** Pause in typing before the search runs. */
const pauseMilliseconds = 120;

const loadFailure = 'The search index cannot be loaded. Check the connection, then reload the page.';

/**
 * Defines `<site-search>`: a button, and a dialog that finds pages as the reader types. It loads the index when the
 * dialog opens.
 *
 * @param base - the path of the site, where the file with the sections of all pages is
 */
export function defineSiteSearch(base: string): void {
  /** Resolves when the index is ready. Reset after a failure, so that the next question loads it again. */
  let loaded: Promise<SearchIndex> | undefined;

  function load(): Promise<SearchIndex> {
    loaded ??= loadIndex(`${base}search.json`);
    loaded.catch(() => (loaded = undefined));
    return loaded;
  }

  /** On the page for an unknown address, links to the pages with its words. */
  async function suggestPages(): Promise<void> {
    const list = document.querySelector('[data-suggestions]');
    if (!list) return;
    const { pages } = (await load()).find(decodeURIComponent(location.pathname.slice(base.length)));
    list.append(...pages.slice(0, 5).map(({ url, title }) => draw('li', '', drawLink(url, title))));
  }

  class SiteSearch extends HTMLElement {
    readonly #open = this.#part('button[data-open]', HTMLButtonElement);
    readonly #dialog = this.#part('dialog', HTMLDialogElement);
    readonly #input = this.#part('input', HTMLInputElement);
    readonly #status = this.#part('[role="status"]', HTMLElement);
    readonly #results = this.#part('.results', HTMLElement);
    readonly #more = this.#part('button[data-more]', HTMLButtonElement);
    #answer: SearchResults | undefined;
    /** Waits for a pause in typing. */
    #timer: ReturnType<typeof setTimeout> | undefined;

    connectedCallback(): void {
      this.#open.addEventListener('click', () => this.#toggle());
      this.#open.disabled = false;
      if (/Mac|iPhone|iPad/.test(navigator.platform)) {
        this.#open.setAttribute('aria-keyshortcuts', 'Meta+K /');
        this.#part('[data-control]', HTMLElement).textContent = '⌘';
      }
      this.#part('button[data-close]', HTMLButtonElement).addEventListener('click', () => this.#dialog.close());
      window.addEventListener('keydown', (event) => this.#openWithKeys(event));
      this.#input.addEventListener('input', () => this.#type());
      this.#part('form', HTMLFormElement).addEventListener('submit', (event) => {
        event.preventDefault();
        void this.#openBest();
      });
      this.#more.addEventListener('click', () => this.#showMore());
      this.#dialog.addEventListener('keydown', (event) => this.#move(event));
      this.#dialog.addEventListener('click', ({ target }) => {
        // A click on the dialog itself is a click on the backdrop.
        const isLink = target instanceof Element && target.closest('a') !== null;
        if (isLink || target === this.#dialog) this.#dialog.close();
      });
      suggestPages().catch(() => {});
      this.#dialog.addEventListener('close', () => document.body.toggleAttribute('data-search-open', false));
    }

    #part<Type extends HTMLElement>(selector: string, type: new () => Type): Type {
      const part = this.querySelector(selector);
      if (!(part instanceof type)) throw new Error(`<site-search> has no ${selector}`);
      return part;
    }

    #toggle(): void {
      if (this.#dialog.open) {
        this.#dialog.close();
        return;
      }
      this.#dialog.showModal();
      document.body.toggleAttribute('data-search-open', true);
      this.#input.select();
      // Load before the reader types, so that a failure shows early and the first answer is fast.
      void this.#answerNow();
    }

    #openWithKeys(event: KeyboardEvent): void {
      const isControlK = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !this.#dialog.open && !isEditable(event.target);
      if (!isControlK && !isSlash) return;
      event.preventDefault();
      this.#toggle();
    }

    #type(): void {
      clearTimeout(this.#timer);
      this.#results.ariaBusy = 'true';
      this.#timer = setTimeout(() => void this.#answerNow(), pauseMilliseconds);
    }

    /** Searches for what the field contains when the index is ready. */
    async #answerNow(): Promise<void> {
      clearTimeout(this.#timer);
      try {
        const index = await load();
        const question = this.#input.value.trim();
        if (question === '') this.#clear('');
        else this.#show(index.find(question));
      } catch {
        this.#clear(loadFailure);
      }
    }

    #show(answer: SearchResults): void {
      this.#answer = answer;
      this.#status.textContent = describeAnswer(answer);
      this.#results.replaceChildren();
      this.#append(answer);
      this.#best()?.closest('.result')?.toggleAttribute('data-best', true);
      this.#results.ariaBusy = 'false';
      this.#results.scrollTop = 0;
    }

    /** Draws the next pages. Returns the first of them. */
    #append({ pages, terms }: SearchResults): HTMLElement | undefined {
      const shown = this.#results.childElementCount;
      const items = pages.slice(shown, shown + pagesAtOnce).map((page) => drawPage(page, terms));
      this.#results.append(...items);
      this.#more.hidden = shown + items.length >= pages.length;
      return items[0];
    }

    #clear(status: string): void {
      this.#answer = undefined;
      this.#status.textContent = status;
      this.#results.replaceChildren();
      this.#results.ariaBusy = 'false';
      this.#more.hidden = true;
    }

    #showMore(): void {
      if (this.#answer) this.#append(this.#answer)?.querySelector('a')?.focus();
    }

    /** Target of Enter. */
    #best(): HTMLAnchorElement | undefined {
      const best = this.#answer?.pages[0]?.best;
      return [...this.#results.querySelectorAll('a')].find((link) => link.getAttribute('href') === best);
    }

    /** Enter opens the best result for the typed text, even if it is not shown yet. */
    async #openBest(): Promise<void> {
      await this.#answerNow();
      this.#best()?.click();
    }

    /** Arrow keys move between the field and the results. */
    #move(event: KeyboardEvent): void {
      if (event.key === 'Escape') {
        // A search field would only clear the question.
        event.preventDefault();
        this.#dialog.close();
      }
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      const places: HTMLElement[] = [this.#input, ...this.#results.querySelectorAll('a')];
      const at = document.activeElement instanceof HTMLElement ? places.indexOf(document.activeElement) : 0;
      const next = places[Math.max(at, 0) + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    }
  }

  customElements.define('site-search', SiteSearch);
}

/** Tells the reader which words are on no page, and how many pages were found. */
export function describeAnswer({ pages, unknown }: SearchResults): string {
  const missing = unknown.length > 0 ? `No page has: ${unknown.join(', ')}. ` : '';
  if (pages.length === 0) return missing.trim() || 'Nothing found.';
  return `${missing}${pages.length === 1 ? '1 page.' : `${pages.length} pages.`}`;
}

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** @throws if the file or the engine cannot be loaded */
async function loadIndex(address: string): Promise<SearchIndex> {
  const [{ SearchIndex: Index }, response] = await Promise.all([
    import('../../../src/shared/search/search-index.ts'),
    fetch(address),
  ]);
  if (!response.ok) throw new Error(`Status ${response.status}`);
  const sections: Section[] = await response.json();
  return Index.create(sections);
}

/** A page with its description, followed by its best sections. */
function drawPage({ url, title, about, sections }: FoundPage, terms: ReadonlySet<string>): HTMLElement {
  const page = draw('div', 'result', drawLink(url, title), draw('p', '', about));
  const list = draw('ul', '');
  list.append(
    ...sections.map((section) =>
      draw('li', 'result', drawLink(section.url, section.heading), drawExcerpt(section.text, terms)),
    ),
  );
  return draw('li', '', page, ...(sections.length > 0 ? [list] : []));
}

function drawLink(address: string, title: string): HTMLElement {
  const link = draw('a', '', title);
  link.setAttribute('href', address);
  return link;
}

function drawExcerpt(text: string, terms: ReadonlySet<string>): HTMLElement {
  return draw(
    'p',
    '',
    ...excerptOf(text, terms).map((piece) => (piece.isFound ? draw('mark', '', piece.text) : piece.text)),
  );
}

function draw(name: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}
