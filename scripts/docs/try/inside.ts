import { barIds } from './ids.ts';
import type { PageSandbox } from './page-sandbox.ts';

/**
 * Opens the sandbox's own page in a frame while the panel is open. The page is that of `carillon-sandbox`; here its
 * control requests go to the sandbox of this page instead of a server.
 */
export function startInside(sandbox: PageSandbox, page: string, panel: HTMLElement): void {
  const place = document.getElementById(barIds.inside);
  panel.addEventListener('toggle', () => {
    place?.replaceChildren();
    if (place && panel.hasAttribute('open')) open(sandbox, page, place, panel);
  });
}

function open(sandbox: PageSandbox, page: string, place: HTMLElement, panel: HTMLElement): void {
  const frame = document.createElement('iframe');
  frame.title = 'Inside the sandbox';
  place.append(frame);
  const { contentWindow: inside } = frame;
  if (!inside) return;
  Object.defineProperty(inside, 'fetch', { value: sandbox.control });
  // Written, because the frame then has this page's address: its links to fragments stay in the frame.
  inside.document.open();
  inside.document.write(page);
  inside.document.close();
  inside.document.documentElement.style.colorScheme = getComputedStyle(document.documentElement).colorScheme;
  inside.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    panel.removeAttribute('open');
    panel.querySelector('summary')?.focus();
  });
}
