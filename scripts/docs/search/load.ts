import { searchIndex, searchScript } from '../frame/ids.ts';
import type { Ask, createSearch } from './engine.ts';
import type { Entry } from './entry.ts';

declare global {
  interface Window {
    /** Defined by the script with the engine. */
    carillonCreateSearch?: typeof createSearch;
    /** Defined by the script with the index. */
    carillonEntries?: Entry[];
  }
}

/**
 * Loads the engine and the index, and indexes the entries.
 *
 * @param assets - address of a file in the folder with both
 */
export async function loadSearch(assets: string): Promise<Ask> {
  await Promise.all([searchScript, searchIndex].map((file) => loadScript(new URL(file, assets).href)));
  const { carillonCreateSearch: create, carillonEntries: entries } = window;
  if (!create || !entries) throw new Error('The scripts of the search are not whole');
  return create(entries);
}

/** Loads a script. A script tag works from disk, where browsers allow neither `fetch` nor modules. */
function loadScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = source;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`Could not load ${source}`));
    document.head.append(script);
  });
}
