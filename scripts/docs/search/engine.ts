import MiniSearch, { type SearchResult } from 'minisearch';
import { type Entry, type Kind, kinds } from './entry.ts';
import { readQuestion } from './question.ts';
import { normalise, splitWords } from './words.ts';

/** An entry that answers a question. */
export interface Hit {
  entry: Entry;
  /** The words of the entry that match, as they are indexed. */
  words: string[];
}

/** Finds the entries that answer a question, best first. */
export type Ask = (question: string) => Hit[];

/** Number of hits that a reader may see. */
const most = 30;
const boost = { title: 4, names: 5, place: 1.5, text: 1 };

/** Indexes entries. The same function serves the pages and the tests. */
export function createSearch(entries: readonly Entry[]): Ask {
  const index = new MiniSearch<Entry & { id: number }>({
    fields: Object.keys(boost),
    tokenize: splitWords,
    processTerm: normalise,
    extractField: (document, field) => {
      const value: unknown = Reflect.get(document, field);
      return Array.isArray(value) ? value.join(' ') : value;
    },
    searchOptions: {
      boost,
      tokenize: (word) => [word],
      boostDocument: (id) => kinds[entries[id]?.kind ?? 'page'].weight,
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  const byName = nameTable(entries);

  return (question) => {
    const queries = readQuestion(question);
    if (queries.length === 0) return [];
    const all = index.search({ combineWith: 'AND', queries });
    // If no entry matches every word, those that match some are better than none.
    const results = all.length > 0 ? all : index.search({ combineWith: 'OR', queries });
    const named = byName.get(keyOf(question)) ?? new Set();
    const ranked = [...results.filter(({ id }) => named.has(id)), ...results.filter(({ id }) => !named.has(id))];
    return ranked.slice(0, most).flatMap((result) => toHit(result, entries));
  };
}

/** Titles that readers type as a whole. Those of fields and rules are not unique. */
const titled: ReadonlySet<Kind> = new Set(['operation', 'guide', 'page']);

/** Entries by their exact names and titles. */
function nameTable(entries: readonly Entry[]): Map<string, Set<number>> {
  const table = new Map<string, Set<number>>();
  for (const [id, { kind, names, title }] of entries.entries()) {
    for (const name of titled.has(kind) ? [title, ...names] : names) {
      // A word such as `deal` asks for more than the type `Deal`.
      if (kind === 'package' && !/[a-z0-9][A-Z._]/.test(name)) continue;
      table.set(keyOf(name), (table.get(keyOf(name)) ?? new Set()).add(id));
    }
  }
  return table;
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

function toHit({ id, terms }: SearchResult, entries: readonly Entry[]): Hit[] {
  const entry = entries[id];
  return entry ? [{ entry, words: terms }] : [];
}
