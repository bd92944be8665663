import { findParameter } from '../frame/ids.ts';
import { consoleFile, consoleLink } from '../try/console-link.ts';
import type { Hit } from './engine.ts';

/** Words in an address beyond these do not help to find the place. */
const most = 8;

/** The words to show on the page of a hit. The name of a field comes first, because its place is where it is named. */
export function wordsToShow({ entry, words }: Hit): string[] {
  const name = entry.kind === 'field' ? [entry.title.split('.').at(-1)?.toLowerCase() ?? ''] : [];
  const own = entry.kind === 'code' ? [entry.title] : [];
  return [...new Set([...name, ...own, ...words])].filter((word) => word !== '').slice(0, most);
}

/**
 * The address of a hit, with the words to show there.
 *
 * @param root - address of the site
 * @param from - address of the page that the reader is on. In the console, operations lead to the console
 */
export function addressOf(hit: Hit, root: URL, from: URL): URL {
  const { kind, names, href } = hit.entry;
  const [operationId] = names;
  if (kind === 'operation' && operationId !== undefined && from.pathname.endsWith(`/${consoleFile}`)) {
    return new URL(consoleLink(operationId), root);
  }
  const address = new URL(href, root);
  address.searchParams.set(findParameter, wordsToShow(hit).join(' '));
  return address;
}
