import type { StoredChange } from 'carillon-sandbox';

/** Storage key of the data, which this tab keeps from page to page. */
const storageKey = 'carillon-sandbox';
/** Maximum number of characters to store. Browsers allow 5 MB for all pages of a site. */
const maxCharacters = 2_000_000;

/** Keeps the sandbox's data outside its worker, which may be ended at any moment. */
export class KeptData {
  #changes = new Map<string, StoredChange>();

  constructor() {
    for (const change of readStorage()) this.#keep(change);
    // The last event that browsers reliably fire.
    addEventListener('pagehide', () => this.#store());
  }

  /** Whether no earlier run has left data. */
  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  /** The records, in the order of their first write. */
  read(): StoredChange[] {
    return [...this.#changes.values()];
  }

  keep(changes: readonly StoredChange[]): void {
    for (const change of changes) this.#keep(change);
  }

  clear(): void {
    this.#changes.clear();
    this.#store();
  }

  #keep(change: StoredChange): void {
    const { world, snapshot = null, table, key, value } = change;
    const area = JSON.stringify([world, snapshot]).slice(0, -1);
    if (table === undefined) {
      for (const place of this.#changes.keys()) if (place.startsWith(`${area},`)) this.#changes.delete(place);
      return;
    }
    const place = `${area},${JSON.stringify([table, key])}`;
    if (value === undefined) this.#changes.delete(place);
    else this.#changes.set(place, change);
  }

  #store(): void {
    const text = JSON.stringify(this.read());
    try {
      if (this.#changes.size > 0 && text.length <= maxCharacters) sessionStorage.setItem(storageKey, text);
      else sessionStorage.removeItem(storageKey);
    } catch {
      // If the browser forbids storage, the data last as long as the page.
    }
  }
}

function readStorage(): StoredChange[] {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
  } catch {
    return [];
  }
}
