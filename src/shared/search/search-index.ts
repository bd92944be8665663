import MiniSearch, { type SearchResult } from 'minisearch';
import synonyms from './synonyms.json' with { type: 'json' };
import { namesIn, termOf, termsOf, wordsOf } from './words.ts';

/**
 * A section of a documentation page, or a method of the command. `scripts/docs/starlight/search-sections.ts` writes the
 * sections of the docs to one file of the site.
 */
export interface Section {
  /** Address of the page, with the anchor of the heading unless the section is the page's beginning. */
  url: string;
  /** Title of the page. */
  title: string;
  /** Heading of the section. Empty at the beginning of a page. */
  heading: string;
  text: string;
  /** Names in the code of the section, each once. */
  code?: string;
  /** Words that readers use but the section does not contain. */
  words?: string;
  /** Description of the page. Only the section at the beginning of a page has it. */
  about?: string;
  /** Factor by which the score is multiplied, 1 by default. Pages for maintainers have a lower factor. */
  rank?: number;
}

export interface FoundPage {
  url: string;
  title: string;
  about: string;
  /** The best sections below a heading, best first. */
  sections: Section[];
  /** Address that the Enter key opens: the best section, or the page if its beginning is the best. */
  best: string;
}

export interface SearchResults {
  /** The matching pages, best match first. */
  pages: FoundPage[];
  /** Words that were searched for and found, in the form of {@link termOf}. */
  terms: ReadonlySet<string>;
  /** Words in the question that no page contains. */
  unknown: string[];
}

/** Maximum number of sections shown below a page. */
const maxSections = 3;
/** Pages below this share of the best page's score are left out. */
const minPageShare = 0.05;
/** Sections below this share of the best section's score are left out. */
const minShare = 0.35;

/** Finds sections with MiniSearch. Sections that contain the rare words of a question rank first. */
export class SearchIndex {
  readonly #vocabulary = new Set<string>();
  readonly #sections: ReadonlyMap<string, Section>;
  readonly #index = new MiniSearch<Section>({
    idField: 'url',
    fields: ['title', 'heading', 'words', 'text', 'code'],
    tokenize: wordsOf,
    processTerm: (word) => {
      const term = termOf(word);
      if (term !== null) this.#vocabulary.add(term);
      return term;
    },
  });

  /** Titles, headings and search words, as lists of words. */
  readonly #phrases = new Map<string, string[][]>();

  private constructor(sections: readonly Section[]) {
    this.#sections = new Map(sections.map((section) => [section.url, section]));
    for (const { url, title, heading, words = '' } of sections) {
      const phrases = [title, heading, ...words.split(',')].map((text) => termsOf(text));
      this.#phrases.set(
        url,
        phrases.filter(({ length }) => length > 0),
      );
    }
  }

  /** Indexes a few sections at once. */
  static of(sections: readonly Section[]): SearchIndex {
    const created = new SearchIndex(sections);
    created.#index.addAll(sections);
    return created;
  }

  /** Indexes sections in small steps, so that the page reacts in the meantime. */
  static async create(sections: readonly Section[]): Promise<SearchIndex> {
    const created = new SearchIndex(sections);
    await created.#index.addAllAsync(sections, { chunkSize: 50 });
    return created;
  }

  /** The pages that answer a question. The last word may be unfinished. */
  find(question: string): SearchResults {
    const asked = this.#readQuestion(question);
    const searched = new Map(asked.flatMap(({ terms, boost }) => terms.map((term) => [term, boost])));
    const found = this.#search(searched);
    const countOf = (term: string): number => found.filter(({ queryTerms }) => queryTerms.includes(term)).length;
    // A word that few sections contain counts more than all other words together.
    const weighted = asked.map((word) => {
      const count = Math.max(...word.terms.map(countOf));
      return { ...word, weight: count === 0 ? 0 : word.boost * Math.log(1 + this.#sections.size / count) };
    });
    const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
    const coverage = (terms: readonly string[]): number =>
      weighted.reduce((sum, word) => (word.terms.some((term) => terms.includes(term)) ? sum + word.weight : sum), 0) /
      total;
    const pageTerms = new Map<string, string[]>();
    for (const { id, queryTerms } of found)
      pageTerms.set(pageOf(id), [...(pageTerms.get(pageOf(id)) ?? []), ...queryTerms]);
    const all = new Set(searched.keys());
    const scored = found.map((result) => {
      const ofPage = coverage(pageTerms.get(pageOf(result.id)) ?? []);
      // MiniSearch multiplies by the number of words, however common they are.
      const score = result.score / result.queryTerms.length;
      return {
        ...result,
        score: score * coverage(result.queryTerms) * ofPage * this.#phraseFactor(result.id, coverage, all),
      };
    });
    return {
      pages: this.#groupByPage(scored),
      terms: new Set(found.flatMap(({ terms }) => terms)),
      unknown: weighted.filter(({ weight, isPart }) => weight === 0 && !isPart).map(({ name }) => name),
    };
  }

  /** Factor by which a section's score is multiplied. It is higher if the title, heading or search words match the question. */
  #phraseFactor(url: string, coverage: (terms: readonly string[]) => number, asked: ReadonlySet<string>): number {
    const likeness = (phrase: readonly string[]): number =>
      (coverage(phrase) * phrase.filter((term) => asked.has(term)).length) / phrase.length;
    return 1 + 2 * Math.max(0, ...(this.#phrases.get(url) ?? []).map(likeness));
  }

  /** Returns the words of a question, and the parts of its names, which count less. */
  #readQuestion(question: string) {
    return namesIn(question).flatMap((name) => {
      const parts = wordsOf(name).slice(1);
      const isKnown = this.#vocabulary.has(termOf(name) ?? '');
      return [name, ...parts].flatMap((word, at) => {
        const term = termOf(word);
        if (term === null) return [];
        // If the docs do not contain a name, only its parts are searched for.
        if (at === 0 && parts.length > 0 && !isKnown) return [];
        const isPart = at > 0;
        return [
          { name: word, isPart, terms: [term, ...this.#alternatives(word, term)], boost: isPart && isKnown ? 0.2 : 1 },
        ];
      });
    });
  }

  #search(searched: ReadonlyMap<string, number>): SearchResult[] {
    const terms = [...searched.keys()];
    return this.#index.search(terms.join(' '), {
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term,
      boost: { title: 3, heading: 3, words: 3, code: 0.3 },
      boostTerm: (term) => searched.get(term) ?? 1,
      boostDocument: (url) => this.#sections.get(url)?.rank ?? 1,
      prefix: (term, at, all) => term.length > 3 || (at === all.length - 1 && term.length > 2),
      // A number that is only similar would be a wrong answer.
      fuzzy: (term) => !this.#vocabulary.has(term) && !/\d/.test(term) && term.length > 4 && 0.2,
      weights: { prefix: 0.3, fuzzy: 0.4 },
      bm25: { k: 1.2, b: 0.2, d: 0.3 },
    });
  }

  /** Returns synonyms of a word. For an unknown word, also returns the known words that result if two letters are swapped. */
  #alternatives(word: string, term: string): string[] {
    const same =
      Object.entries(synonyms).find(([key]) => key === word.toLowerCase() || termOf(key) === term)?.[1] ?? '';
    const swapped = this.#vocabulary.has(term)
      ? []
      : Array.from(word, (_, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2));
    return [...wordsOf(same), ...swapped]
      .map((other) => termOf(other) ?? '')
      .filter((other) => this.#vocabulary.has(other));
  }

  #groupByPage(results: readonly SearchResult[]): FoundPage[] {
    const pages = new Map<string, { section: Section; score: number; hasOwn: boolean }[]>();
    for (const { id, score, match } of results.toSorted((one, other) => other.score - one.score)) {
      const section = this.#sections.get(id);
      if (!section) continue;
      const page = pageOf(id);
      // The title of the page is a field of each of its sections.
      const hasOwn = Object.values(match).some((fields) => fields.some((field) => field !== 'title'));
      pages.set(page, [...(pages.get(page) ?? []), { section, score, hasOwn }]);
    }
    const [[, [top] = []] = []] = pages;
    const found = [...pages].filter(([, [best]]) => (best?.score ?? 0) >= (top?.score ?? 0) * minPageShare);
    return found.map(([url, places]) => {
      const below = places.filter(({ section, hasOwn }) => section.url !== url && hasOwn);
      const least = (below[0]?.score ?? 0) * minShare;
      return {
        url,
        title: places[0]?.section.title ?? '',
        about: this.#sections.get(url)?.about ?? '',
        sections: below
          .filter(({ score }) => score >= least)
          .slice(0, maxSections)
          .map(({ section }) => section),
        best: places[0]?.hasOwn ? places[0].section.url : url,
      };
    });
  }
}

function pageOf(url: string): string {
  return url.replace(/#.*/, '');
}
