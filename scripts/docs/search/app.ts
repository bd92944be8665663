/** The script of the search. The header's script loads it when a reader first opens the search. */
import { searchIndex } from '../frame/ids.ts';
import { loadScript } from '../frame/load-script.ts';
import { SearchBox } from './box.ts';
import { createSearch } from './engine.ts';
import type { Entry } from './entry.ts';

declare global {
  interface Window {
    /** Defined by the script with the index. */
    carillonEntries?: Entry[];
  }
}

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
const box = new SearchBox(new URL('..', own));
window.carillonSearch = () => box.open();

loadScript(new URL(searchIndex, own).href).then(
  () => box.use(createSearch(window.carillonEntries ?? [])),
  () => box.say('The index of the search could not be loaded. Build the site again with npm run docs.'),
);
