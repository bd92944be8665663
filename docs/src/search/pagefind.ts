import type { SearchIndex } from './answer.ts';
import { foundWords, plain } from './excerpt.ts';
import type { Section } from './places.ts';

/** A page found by Pagefind. */
export interface FoundPage {
  id: string;
  /** Loads the page's texts. */
  data(): Promise<PageData>;
}

export interface PageData {
  url: string;
  meta: { title: string; description?: string };
  excerpt: string;
  sub_results: Section[];
}

/** The part of Pagefind's API that the search uses. */
interface Pagefind {
  options(options: object): Promise<void>;
  init(): Promise<void>;
  search(text: string, options: { filters: { part: string } }): Promise<{ results: FoundPage[] }>;
}

/**
 * Ranking options, tuned with the questions in `test/system/browser/search.system.test.ts`.
 *
 * @see https://pagefind.app/docs/ranking/
 */
const ranking = { pageLength: 0, termFrequency: 0.6, termSaturation: 2, termSimilarity: 9 };

/** Thrown if the index or a part of it cannot be loaded. */
export class IndexError extends Error {
  override name = 'IndexError';
}

/**
 * Loads the index that Astro's build has written.
 *
 * @param base - address of the site's first page: `/`
 * @throws IndexError
 */
export async function loadIndex(base: string): Promise<SearchIndex<FoundPage>> {
  const folder = `${base.replace(/\/$/, '')}/pagefind/`;
  const entry = await readEntry(folder);
  const pagefind: Pagefind = await load(() => import(/* @vite-ignore */ `${folder}pagefind.js`));
  await load(async () => {
    await pagefind.options({ baseUrl: base, ranking });
    await pagefind.init();
  });
  const findIn = async (text: string, part: string): Promise<FoundPage[]> =>
    (await load(() => pagefind.search(text, { filters: { part } }))).results;
  // The pages of packages and decisions come last, even if they contain a word more often.
  const find = async (text: string): Promise<FoundPage[]> => [
    ...(await findIn(text, 'first')),
    ...(await findIn(text, 'last')),
  ];
  const known = new Map<string, boolean>();

  return {
    async find(words) {
      const found = await find(words.join(' '));
      const [word, ...others] = words;
      if (word === undefined || others.length > 0 || !isPlain.test(word)) return found;
      // Pagefind ranks a rare longer word above the word itself: `openapi-fetch` above `open`.
      const exact = new Set((await find(`"${word}"`)).map(({ id }) => id));
      const first = found.filter(({ id }) => exact.has(id)).slice(0, maxRanked);
      const scores = new Map(
        await Promise.all(first.map(async (page) => [page.id, strongest(await load(() => page.data()))] as const)),
      );
      return found.toSorted((one, other) => (scores.get(other.id) ?? -1) - (scores.get(one.id) ?? -1));
    },
    async has(word) {
      const before = known.get(word);
      if (before !== undefined) return before;
      const has = (await find(`"${word}"`)).length > 0 || (await isBeginning(word, await find(word)));
      // Pagefind finds no word if a part of the index fails to load, for example after a new build or without a network.
      if (!has && (await readEntry(folder)) !== entry) throw new IndexError('There is a new index');
      known.set(word, has);
      return has;
    },
  };
}

/** Names of several parts are found by their parts. */
const isPlain = /^\p{L}+$/u;

/** Maximum number of pages to rank by their strongest match, which loads their texts. */
const maxRanked = 10;

function strongest({ sub_results: sections }: PageData): number {
  const scores = sections.flatMap(({ weighted_locations }) => weighted_locations.map((place) => place.balanced_score));
  return Math.max(0, ...scores);
}

/** For an unknown word, Pagefind finds longer words, or else words with the same beginning. */
async function isBeginning(word: string, [page]: readonly FoundPage[]): Promise<boolean> {
  if (!page) return false;
  const { excerpt } = await load(() => page.data());
  return foundWords(excerpt).some((found) => found.includes(plain(word)));
}

/** The small file that names the parts of the index. It changes with every change of a page. */
function readEntry(folder: string): Promise<string> {
  return load(async () => {
    const response = await fetch(`${folder}pagefind-entry.json`, { cache: 'no-cache' });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return response.text();
  });
}

async function load<Value>(from: () => Promise<Value>): Promise<Value> {
  try {
    return await from();
  } catch (cause) {
    throw new IndexError('The index cannot be loaded', { cause });
  }
}
