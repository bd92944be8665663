type Child = Node | string | false | undefined;

/** Finds a part of the page. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}`);
  return found;
}

/** Creates an element. Texts become text nodes, never markup: they come from the requests of others. */
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

export function link(href: string, text: string): HTMLAnchorElement {
  const created = element('a', '', text);
  created.href = href;
  return created;
}

/** A button that acts when it is clicked. `name` is its accessible name if the text alone does not say enough. */
export function button(text: string, name: string, act: () => Promise<void>): HTMLButtonElement {
  const created = element('button', '', text);
  created.type = 'button';
  created.ariaLabel = name;
  created.addEventListener('click', () => void run(act));
  return created;
}

export function onClick(id: string, act: () => Promise<void>): void {
  byId(id, HTMLButtonElement).addEventListener('click', () => void run(act));
}

export function onSubmit(id: string, act: () => Promise<void>): void {
  byId(id, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void run(act);
  });
}

/** Acts, and shows the reason if that fails. */
export async function run(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    say(messageOf(error), true);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Tells the reader what happened. */
export function say(text: string, isBad = false): void {
  const status = byId('status', HTMLElement);
  status.className = isBad ? 'bad' : '';
  status.textContent = text;
}

export function option(value: string, text: string): HTMLOptionElement {
  return new Option(text, value);
}
