import { unsupported } from '../../../generated/unsupported.ts';
import { SearchIndex } from '../../shared/search/search-index.ts';
import { termsOf } from '../../shared/search/words.ts';
import { fieldsOf } from './fields.ts';
import { findMethod, type Method, methods } from './methods.ts';

let index: SearchIndex | undefined;

/**
 * Finds methods by words in their names, summaries, descriptions and parameters, and by common synonyms. The docs search finds
 * pages in the same way.
 *
 * @param text - the words
 * @param most - maximum number of methods
 * @returns the matching methods, best first
 */
export function search(text: string, most = 10): Method[] {
  index ??= SearchIndex.of(
    methods.map((method) => ({
      url: method.name,
      title: method.summary,
      heading: method.name,
      text: `${method.description} ${method.effect}`,
      code: fieldsOf(method)
        .map(({ name }) => name)
        .join(' '),
    })),
  );
  return index
    .find(text)
    .pages.slice(0, most)
    .flatMap(({ url }) => findMethod(url) ?? []);
}

/** A task that users look for but the documented API does not support. */
export type UnsupportedTask = (typeof unsupported)[number];

/** Finds tasks that the documented API does not support, by the words that users search for. */
export function findUnsupported(text: string): UnsupportedTask[] {
  const asked = termsOf(text);
  return unsupported.filter(({ search: phrases }) =>
    phrases.map(termsOf).some((phrase) => {
      const isAsked = phrase.every((term) => asked.includes(term));
      return isAsked || (asked.length > 1 && asked.every((term) => phrase.includes(term)));
    }),
  );
}
