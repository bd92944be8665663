import { frameIds } from './ids.ts';
import { write } from './storage.ts';

type Mode = 'light' | 'dark';

/** Redoc and TypeDoc read the reader's choice under these keys, each in its own way. */
const keys = ['redoc.colorMode', 'tsd-theme'];

/** Connects the switch between light and dark. Without a choice, the system's preference applies. */
export function startColors(): void {
  const button = document.getElementById(frameIds.colors);
  if (!button) return;
  button.hidden = false;
  const preference = matchMedia('(prefers-color-scheme: dark)');
  const label = (): void => {
    button.setAttribute('aria-label', currentMode() === 'dark' ? 'Use light colours' : 'Use dark colours');
  };
  button.addEventListener('click', () => {
    const mode = currentMode() === 'dark' ? 'light' : 'dark';
    for (const key of keys) write(key, mode);
    apply(mode);
    label();
  });
  preference.addEventListener('change', label);
  label();

  function currentMode(): Mode {
    const { classList } = document.documentElement;
    if (classList.contains('dark')) return 'dark';
    return !classList.contains('light') && preference.matches ? 'dark' : 'light';
  }
}

/** Changes the colours of the page, whoever renders it. */
function apply(mode: Mode): void {
  const { documentElement: root, body } = document;
  root.classList.remove('light', 'dark');
  root.classList.add(mode);
  if (root.dataset.theme !== undefined) root.dataset.theme = mode;
  // Scalar, on the page "Try it".
  if (body.classList.contains('light-mode') || body.classList.contains('dark-mode')) {
    body.classList.toggle('light-mode', mode === 'light');
    body.classList.toggle('dark-mode', mode === 'dark');
  }
}
