import { isRecord } from '../../shared/is-record.ts';

/** How much of a page has been received before. */
export type Repeated = 'nothing' | 'some' | 'everything';

/** Remembers items of a list, to recognize repeated ones. */
export interface KnownItems {
  /** Adds the items of the next page, and returns how much of it was received before. */
  add(items: readonly unknown[]): Repeated;
}

/**
 * Remembers only three pages, to keep memory constant: the first, the previous one, and a mark. The mark moves to pages 1, 2, 4,
 * 8 and so on (Brent's algorithm), which detects a cycle of pages of any length.
 */
export class RecentItems implements KnownItems {
  #first: ReadonlySet<string> | undefined;
  #before: ReadonlySet<string> = new Set();
  #mark: ReadonlySet<string> = new Set();
  #pages = 0;
  #nextMark = 1;

  add(items: readonly unknown[]): Repeated {
    if (items.length === 0) return 'nothing';
    const keys = items.map(itemKey);
    const known = [this.#first ?? this.#before, this.#before, this.#mark];
    const repeated = keys.filter((key) => known.some((page) => page.has(key))).length;
    const page = new Set(keys);
    this.#pages += 1;
    if (this.#pages === this.#nextMark) {
      this.#mark = page;
      this.#nextMark *= 2;
    }
    this.#first ??= page;
    this.#before = page;
    if (repeated === 0) return 'nothing';
    return repeated === keys.length ? 'everything' : 'some';
  }
}

/** Remembers every item, for complete lists. Also detects an item that occurs twice on one page. */
export class EveryItem implements KnownItems {
  readonly #keys = new Set<string>();

  add(items: readonly unknown[]): Repeated {
    const keys = items.map(itemKey);
    const added = new Set(keys.filter((key) => !this.#keys.has(key)));
    for (const key of added) this.#keys.add(key);
    if (added.size === keys.length) return 'nothing';
    return added.size === 0 ? 'everything' : 'some';
  }
}

/** Key of an item: its `id`, which does not change with other fields, or its JSON if it has no `id`. */
export function itemKey(item: unknown): string {
  if (isRecord(item) && (typeof item.id === 'string' || typeof item.id === 'number')) return `id ${item.id}`;
  try {
    return String(JSON.stringify(item));
  } catch {
    return writeDeep(item);
  }
}

/** Returns equal strings for equal values. Used for values that are nested too deeply for `JSON.stringify`. */
function writeDeep(value: unknown): string {
  const parts: string[] = [];
  const rest: unknown[] = [value];
  const seen = new Set<unknown>();
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next !== 'object' || next === null) {
      parts.push(typeof next, JSON.stringify(String(next)));
    } else if (!seen.has(next)) {
      // JSON has no cycles, but a custom `fetch` can return anything.
      seen.add(next);
      parts.push(Array.isArray(next) ? '[]' : '{}', JSON.stringify(Object.keys(next)));
      for (const member of Object.values(next)) rest.push(member);
    }
  }
  return parts.join(' ');
}
