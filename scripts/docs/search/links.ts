import { findParameter } from '../frame/ids.ts';
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
 */
export function addressOf(hit: Hit, root: URL): URL {
  const address = new URL(hit.entry.href, root);
  address.searchParams.set(findParameter, wordsToShow(hit).join(' '));
  return address;
}
