/**
 * Rows in a list, one for each entry. The row of an unchanged entry keeps its focus and its open parts. The row of a changed
 * entry is replaced, and stays open.
 */
export class Rows<Entry> {
  readonly #list: HTMLElement;
  readonly #keyOf: (entry: Entry) => string | number;
  readonly #create: (entry: Entry) => HTMLElement;
  #rows = new Map<string | number, { text: string; row: HTMLElement }>();

  constructor(list: HTMLElement, keyOf: (entry: Entry) => string | number, create: (entry: Entry) => HTMLElement) {
    this.#list = list;
    this.#keyOf = keyOf;
    this.#create = create;
  }

  show(entries: readonly Entry[]): void {
    const before = this.#rows;
    this.#rows = new Map(entries.map((entry) => [this.#keyOf(entry), this.#rowOf(entry, before)]));
    for (const [key, { row }] of before) if (!this.#rows.has(key)) row.remove();
    let next = this.#list.firstElementChild;
    for (const { row } of this.#rows.values()) {
      if (row === next) next = next.nextElementSibling;
      else this.#list.insertBefore(row, next);
    }
  }

  #rowOf(entry: Entry, before: Map<string | number, { text: string; row: HTMLElement }>) {
    const text = JSON.stringify(entry);
    const known = before.get(this.#keyOf(entry));
    if (known?.text === text) return known;
    const row = this.#create(entry);
    if (known) replaceRow(known.row, row);
    return { text, row };
  }
}

function replaceRow(old: HTMLElement, row: HTMLElement): void {
  const hasFocus = old.matches(':focus-within');
  const details = row.querySelector('details');
  if (details && old.querySelector('details[open]')) details.open = true;
  old.replaceWith(row);
  if (hasFocus) row.querySelector<HTMLElement>('summary, button')?.focus();
}
