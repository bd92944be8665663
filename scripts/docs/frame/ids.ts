/** Names that the header and its script share. */
export const frameIds = {
  menu: 'carillon-menu',
  search: 'carillon-search-button',
  colors: 'carillon-colors-button',
} as const;

/** Folder of the styles and scripts that all pages share, in the root of the site. */
export const assetsFolder = 'assets';
/** The script of the header, on every page. */
export const siteScript = 'site.js';
/** The engine of the search. The header's script loads it when a reader first opens the search. */
export const searchScript = 'search.js';
/** What the search can find. It is loaded with the engine. */
export const searchIndex = 'search-index.js';

/** Parameter of an address: the words to show on the page that a hit leads to. */
export const findParameter = 'find';
