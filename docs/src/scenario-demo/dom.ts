type Child = Node | string;

/** Creates an element. Texts become text nodes, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  if (className) created.className = className;
  created.append(...children);
  return created;
}

export function button(text: string, act: () => void, className = ''): HTMLButtonElement {
  const created = element('button', className, text);
  created.type = 'button';
  created.addEventListener('click', act);
  return created;
}
