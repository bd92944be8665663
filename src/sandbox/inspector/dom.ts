type Child = Node | string | false | undefined;

/** Creates an element. Strings become text nodes, never markup, because they come from requests. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  if (className) created.className = className;
  created.append(...children.filter((child) => child !== false && child !== undefined));
  return created;
}

export function button(text: string, act: () => void, name?: string): HTMLButtonElement {
  const created = element('button', '', text);
  created.type = 'button';
  if (name !== undefined) created.ariaLabel = name;
  created.addEventListener('click', act);
  return created;
}

export function link(href: string, text: string): HTMLAnchorElement {
  const created = element('a', '', text);
  created.href = href;
  // Keep the inspector open.
  created.target = '_blank';
  return created;
}

/** Returns a label that contains text and a field. */
export function labelled(label: string, field: HTMLElement, className = ''): HTMLLabelElement {
  return element('label', className, element('span', '', label), field);
}

interface InputProperties {
  type?: string;
  value?: string;
  placeholder?: string;
  required?: boolean;
  min?: string;
  max?: string;
  step?: string;
}

export function input(properties: InputProperties = {}): HTMLInputElement {
  return Object.assign(element('input', ''), { autocomplete: 'off', spellcheck: false }, properties);
}

export function select(options: Readonly<Record<string, string>>): HTMLSelectElement {
  return element('select', '', ...Object.entries(options).map(([value, text]) => new Option(text, value)));
}

/** Shows a string unchanged, and other values as JSON. Long content can be scrolled, even with the keyboard. */
export function code(value: unknown): HTMLPreElement {
  const shown = element('pre', '', typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  shown.tabIndex = 0;
  return shown;
}
