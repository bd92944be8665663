import { ResponsePromise, type WithResponse } from './call.ts';
import { identify } from './call-state.ts';
import { hide } from './errors/base.ts';
import { IncompleteListError } from './errors/incomplete-list-error.ts';
import { EveryItem, RecentItems } from './known-items.ts';
import { ListReader, type ListSource, type PageReading } from './list-reader.ts';
import type { Page } from './page.ts';

/**
 * A list: a promise of its first page that starts on first use, and an iterable of all items, page after page.
 *
 * Awaiting a list again returns the same page. Each iteration, `pages()` and `toArray` read the list again from its beginning, also
 * after a failure.
 *
 * If the service states a total, the list ends when the total is reached; a list that ends below it is a warning to the logger.
 * A total that is too low goes unnoticed if a page ends exactly at it. Without a total, the list ends at an empty page, or at a
 * page shorter than `limit` if a maximum is documented for `limit`.
 *
 * A page of items that all came before ends the list with a warning, and is left out: the service ignores `offset`, or answers with
 * the same pages in turn. Items are the same if they have the same `id`, or the same JSON if they have none. An iteration
 * compares a page with a few earlier ones, so that its memory stays flat.
 *
 * Offset paging can skip or repeat items while data changes.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * for await (const contact of api.crm.contacts.list({ firstName: 'Ann' })) console.log(contact.id);
 *
 * const page = await api.crm.contacts.list({ limit: 20 });
 * console.log(page.data.length, page.total, page.nextOffset);
 * ```
 */
export interface List<Item, Meta = undefined> extends Promise<Page<Item, Meta>>, AsyncIterable<Item> {
  /** The first page with the `Response` that it came in. */
  withResponse(): Promise<WithResponse<Page<Item, Meta>, Meta>>;
  /**
   * All pages, each requested when it is wanted. To resume after a failure, give the `nextOffset` of the last page that came
   * as the `offset` of a new list.
   *
   * @param options - `complete`: reject instead of going on with a list that may not be complete, under the conditions of
   * `toArray`. Pages that came before stay with the caller. A page is compared with a few earlier ones, so that memory stays flat
   * @throws `IncompleteListError` without items, with `complete`, as soon as the list is known not to be complete
   * @example
   * ```ts
   * import { createClient } from 'carillon';
   *
   * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
   * for await (const page of api.crm.contacts.list().pages()) console.log(page.data.length, page.nextOffset);
   * ```
   */
  pages(options?: { complete?: boolean }): AsyncGenerator<Page<Item, Meta>, void, undefined>;
  /**
   * All items, at most `max` of them.
   *
   * `complete: true` compares each item with all items before it, so its memory grows by their ids. Without a total, it reads on
   * until a page is empty, also after a short page. It trusts two statements of the service: its total, and an empty page of a
   * list without one. Nothing shows that items were deleted or inserted meanwhile.
   *
   * @param options - `max`: the most items to collect, a whole number or `Infinity` (`limit` is the size of a page, not a total);
   * `complete`: reject unless the list is known to be complete
   * @returns the items, in the order of the service
   * @throws `IncompleteListError` if a page after the first fails or the list is aborted after items were received: it has
   * these items, where to resume, and the failure or the reason of the abort as its `cause`. With `complete`, also if the list
   * ends below its total, gives an item twice, has more than `max` items, or states no total and is not paged without a `limit`
   * @throws the failure itself if the first page fails, and `signal.reason` if the list is aborted before any item was received:
   * to resume is to begin again
   * @throws `RangeError` if `max` is not a whole number of 0 or more, or `Infinity`
   */
  toArray(options: { max: number; complete?: boolean }): Promise<Item[]>;
}

/**
 * The list over a source of pages.
 *
 * @internal left out of the declarations: checking it would cost every user's compiler
 */
export class PagedList<Item, Meta> extends ResponsePromise<Page<Item, Meta>, Meta> implements List<Item, Meta> {
  readonly [Symbol.toStringTag] = 'List';
  readonly #source: ListSource<Item, Meta>;
  /** The page that `await` returns. Iterations do not use it: the caller may have changed it, or it may be old. */
  #first: Promise<PageReading<Item, Meta>> | undefined;

  constructor(source: ListSource<Item, Meta>) {
    super();
    this.#source = source;
    // Node's `console.log` calls it. As a method with a computed name, it would keep bundlers from leaving the class out.
    const shown = `List { ${source.operation}: await it for its first page, or use for await }`;
    hide(this, Symbol.for('nodejs.util.inspect.custom'), () => shown);
  }

  async withResponse(): Promise<WithResponse<Page<Item, Meta>, Meta>> {
    this.#first ??= new ListReader(this.#source).read().catch((error: unknown) => {
      this.#first = undefined;
      throw error;
    });
    const { page, meta, response } = await this.#first;
    return { data: page, meta, response };
  }

  async *pages({ complete = false }: { complete?: boolean } = {}): AsyncGenerator<Page<Item, Meta>, void, undefined> {
    const reader = new ListReader(this.#source, complete);
    while (reader.nextOffset !== undefined) {
      const page = await reader.next();
      if (complete && reader.problem !== undefined) throw this.#incomplete(reader, reader.problem, page.offset);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  async toArray({ max, complete = false }: { max?: number; complete?: boolean } = {}): Promise<Item[]> {
    if (!isCount(max)) throw new RangeError('toArray needs a max: a whole number that is 0 or more, or Infinity');
    const items: Item[] = [];
    if (max === 0 && !complete) return items;
    const { offset, signal } = this.#source;
    const reader = new ListReader(this.#source, complete, complete ? new EveryItem() : new RecentItems());
    let nextOffset = offset;
    let problem: string | undefined;
    let failure: ErrorOptions | undefined;
    try {
      while (reader.nextOffset !== undefined) {
        const page = await reader.next();
        const taken = page.data.slice(0, max - items.length);
        for (const item of taken) items.push(item);
        const end = page.offset + taken.length;
        const isCut = taken.length < page.data.length;
        nextOffset = isCut ? end : (reader.nextOffset ?? end);
        // If nothing says whether there are more, only another page can prove that the list is complete.
        const isFull = items.length >= max && reader.nextOffset !== undefined && (!complete || reader.isBelowTotal);
        if (isCut || isFull) {
          problem = 'has more than max items';
          break;
        }
      }
      problem ??= reader.problem;
    } catch (cause) {
      const isAbort = signal?.aborted === true && cause === signal.reason;
      if (isAbort ? items.length === 0 : !reader.hasBegun) throw cause;
      problem = `${isAbort ? 'was aborted' : 'failed'} after ${items.length} items`;
      nextOffset = reader.nextOffset ?? nextOffset;
      failure = { cause };
    }
    if (!problem || !(complete || failure)) return items;
    throw this.#incomplete(reader, problem, nextOffset, items, failure);
  }

  #incomplete(
    { call }: ListReader<Item, Meta>,
    problem: string,
    nextOffset: number,
    items: Item[] = [],
    failure?: ErrorOptions,
  ): IncompleteListError {
    const error = new IncompleteListError(`${this.#source.operation} ${problem}`, { items, nextOffset }, failure);
    return call ? identify(error, call) : error;
  }
}

function isCount(max: unknown): max is number {
  return typeof max === 'number' && max >= 0 && (Number.isInteger(max) || max === Number.POSITIVE_INFINITY);
}
