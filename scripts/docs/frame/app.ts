/** The script of the header, on every page. It runs as soon as the header is there. */
import { showFound } from './arrival.ts';
import { startColors } from './colors.ts';
import { startCopy } from './copy.ts';
import { startMenu } from './menu.ts';
import { startSearch } from './search.ts';
import { rememberOnDisk } from './storage.ts';

rememberOnDisk();
startMenu();
startColors();
startSearch();
document.addEventListener('DOMContentLoaded', () => {
  startCopy();
  showFound();
});
