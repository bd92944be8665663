export interface BoxParts {
  dialog: HTMLDialogElement;
  input: HTMLInputElement;
  list: HTMLElement;
  status: HTMLElement;
}

const listId = 'carillon-search-list';

/** Creates the dialog with its field, list and line of status. */
export function createBox(): BoxParts {
  const dialog = create('dialog', { class: 'carillon-search', 'aria-label': 'Search' });
  const input = create('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Search the docs',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    placeholder: 'Search the docs',
  });
  const close = create('button', { type: 'button', class: 'carillon-search-close' });
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  const list = create('div', { id: listId, role: 'listbox', 'aria-label': 'Results', class: 'carillon-search-list' });
  const status = create('p', { role: 'status', class: 'carillon-search-status' });
  const bar = create('div', { class: 'carillon-search-bar' });
  bar.append(input, close);
  const content = create('div', { class: 'carillon-search-content' });
  content.append(bar, list, status);
  dialog.append(content);
  return { dialog, input, list, status };
}

/** An element with attributes. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
