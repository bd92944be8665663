import { frameIds, searchScript } from './ids.ts';
import { loadScript } from './load-script.ts';

declare global {
  interface Window {
    /** Opens the search box. Defined by the script of the search. */
    carillonSearch?: () => void;
  }
}

/** Address of the shared files; this script is one of them. */
const assets = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;

let loading: Promise<void> | undefined;

/** Opens the search with its button, `/` and Ctrl+K or ⌘K. Loads it the first time. */
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

function open(): void {
  loading ??= loadScript(new URL(searchScript, assets).href);
  loading.then(
    () => window.carillonSearch?.(),
    () => {
      loading = undefined;
    },
  );
}
