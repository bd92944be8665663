import { type Answer, answer, describeAnswer, type Replacements } from './answer.ts';
import { readExcerpt } from './excerpt.ts';
import { LatestQuestion } from './latest.ts';
import { type FoundPage, loadIndex, type PageData } from './pagefind.ts';
import { bestPlaces } from './places.ts';

export interface SearchOptions {
  /** Address of the site's first page: `/`. */
  base: string;
  /** Loads the replacements for words that are on no page. */
  loadReplacements(): Promise<Replacements>;
}

/** Number of pages shown at first, and added by each "Show more". */
const pagesAtOnce = 10;

const loadFailure = 'The search index cannot be loaded. Check the connection, then reload the page.';

/** An answer with the texts of the shown pages. */
interface Shown extends Answer<FoundPage> {
  texts: PageData[];
}

type Ask = (question: string) => Promise<Answer<FoundPage>>;

/**
 * Defines `<site-search>`: a button, and a dialog that finds pages as the reader types. It loads the index when the
 * dialog opens.
 */
export function defineSiteSearch({ base, loadReplacements }: SearchOptions): void {
  /** Resolves when the index is ready. Reset after a failure, so that the next question loads it again. */
  let loaded: Promise<Ask> | undefined;

  function load(): Promise<Ask> {
    loaded ??= Promise.all([loadIndex(base), loadReplacements()]).then(
      ([index, replacements]) =>
        (question) =>
          answer(question, index, replacements),
    );
    loaded.catch(() => (loaded = undefined));
    return loaded;
  }

  class SiteSearch extends HTMLElement {
    readonly #open = this.#part('button[data-open]', HTMLButtonElement);
    readonly #dialog = this.#part('dialog', HTMLDialogElement);
    readonly #input = this.#part('input', HTMLInputElement);
    readonly #status = this.#part('[role="status"]', HTMLElement);
    readonly #results = this.#part('.results', HTMLElement);
    readonly #more = this.#part('button[data-more]', HTMLButtonElement);
    readonly #questions = new LatestQuestion<Shown>({
      ask: (question) => this.#ask(question),
      show: (shown) => this.#show(shown),
      fail: () => this.#fail(),
    });
    #answer: Shown | undefined;

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
      this.#more.addEventListener('click', () => void this.#showMore());
      this.#dialog.addEventListener('keydown', (event) => this.#move(event));
      this.#dialog.addEventListener('click', ({ target }) => {
        // A click on the dialog itself is a click on the backdrop.
        const isLink = target instanceof Element && target.closest('a') !== null;
        if (isLink || target === this.#dialog) this.#dialog.close();
      });
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
      load().catch(() => this.#fail());
    }

    #openWithKeys(event: KeyboardEvent): void {
      const isControlK = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !this.#dialog.open && !isEditable(event.target);
      if (!isControlK && !isSlash) return;
      event.preventDefault();
      this.#toggle();
    }

    #type(): void {
      const question = this.#input.value.trim();
      if (question !== '') {
        this.#results.ariaBusy = 'true';
        this.#questions.later(question);
        return;
      }
      this.#questions.cancel();
      this.#clear('');
    }

    async #ask(question: string): Promise<Shown> {
      const ask = await load();
      const found = await ask(question);
      return { ...found, texts: await loadTexts(found.pages.slice(0, pagesAtOnce)) };
    }

    #show(shown: Shown): void {
      this.#answer = shown;
      this.#status.textContent = describeAnswer(shown);
      this.#results.replaceChildren(...shown.texts.map((page) => drawPage(page, shown.words.length)));
      this.#best()?.closest('.result')?.toggleAttribute('data-best', true);
      this.#results.ariaBusy = 'false';
      this.#results.scrollTop = 0;
      this.#more.hidden = shown.texts.length >= shown.pages.length;
    }

    #clear(status: string): void {
      this.#answer = undefined;
      this.#status.textContent = status;
      this.#results.replaceChildren();
      this.#results.ariaBusy = 'false';
      this.#more.hidden = true;
    }

    #fail(): void {
      loaded = undefined;
      this.#clear(loadFailure);
    }

    async #showMore(): Promise<void> {
      const shown = this.#answer;
      if (!shown) return;
      const start = shown.texts.length;
      try {
        const texts = await loadTexts(shown.pages.slice(start, start + pagesAtOnce));
        if (shown !== this.#answer || shown.texts.length !== start) return;
        shown.texts.push(...texts);
        const items = texts.map((page) => drawPage(page, shown.words.length));
        this.#results.append(...items);
        this.#more.hidden = shown.texts.length >= shown.pages.length;
        items[0]?.querySelector('a')?.focus();
      } catch {
        if (shown === this.#answer) this.#fail();
      }
    }

    /** Target of Enter. */
    #best(): HTMLAnchorElement | undefined {
      const { texts: [page] = [], words = [] } = this.#answer ?? {};
      if (!page) return undefined;
      const { best } = bestPlaces(page.sub_results, page.url, words.length);
      return [...this.#results.querySelectorAll('a')].find((link) => link.getAttribute('href') === best);
    }

    /** Enter opens the best result for the typed text, even if it is not shown yet. */
    async #openBest(): Promise<void> {
      const question = this.#input.value.trim();
      if (question === '') return;
      await this.#questions.now(question);
      if (this.#input.value.trim() === question) this.#best()?.click();
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

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function loadTexts(pages: readonly FoundPage[]): Promise<PageData[]> {
  return Promise.all(pages.map((page) => page.data()));
}

/** A page with its description, followed by its best sections. */
function drawPage({ url, meta, sub_results: sections }: PageData, words: number): HTMLElement {
  const { sections: places } = bestPlaces(sections, url, words);
  const page = draw('div', 'result', drawLink(url, meta.title), draw('p', '', meta.description ?? ''));
  const list = draw('ul', '');
  list.append(
    ...places.map((place) => draw('li', 'result', drawLink(place.url, place.title), drawExcerpt(place.excerpt))),
  );
  return draw('li', '', page, ...(places.length > 0 ? [list] : []));
}

function drawLink(address: string, title: string): HTMLElement {
  const link = draw('a', '', title);
  link.setAttribute('href', address);
  return link;
}

function drawExcerpt(excerpt: string): HTMLElement {
  return draw('p', '', ...readExcerpt(excerpt).map(({ text, isFound }) => (isFound ? draw('mark', '', text) : text)));
}

function draw(name: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}
