import { SearchBox } from '../search/box.ts';
import { loadSearch } from '../search/load.ts';
import { frameIds } from './ids.ts';

/** Address of this script. The files of the search are beside it. */
const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;

let box: SearchBox | undefined;

/** Opens the search with its button, `/` and Ctrl+K or ⌘K. */
export function startSearch(): void {
  const button = document.getElementById(frameIds.search);
  if (!button) return;
  button.hidden = false;
  button.addEventListener('click', open);
  // Before the handlers of Redoc, Scalar and TypeDoc: the site has one search.
  addEventListener(
    'keydown',
    (event) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      open();
    },
    { capture: true },
  );
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (key.toLowerCase() === 'k') return ctrlKey || metaKey;
  return key === '/' && !ctrlKey && !metaKey && !isTyping(target);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]');
}

/** Opens the box at once, so that no key is lost. What it needs for answers is loaded the first time. */
function open(): void {
  if (!box) {
    const created = new SearchBox(new URL('..', own));
    box = created;
    loadSearch(own).then(
      (ask) => created.use(ask),
      () => created.say('Could not load the search index. Build the site again with npm run docs.'),
    );
  }
  box.open();
}
