/** The engine of the search, as a script of its own: the header's script loads it when a reader first opens the search. */
import { createSearch } from './engine.ts';

window.carillonCreateSearch = createSearch;
