import { keyOf } from '../../shared/operation.ts';
import { argumentError, checkCount, checkNames, readFields } from './arguments.ts';
import type { WithResponse } from './call.ts';
import { identify } from './call-state.ts';
import { hide, inspect } from './errors/base.ts';
import { IncompleteListError } from './errors/local-errors.ts';
import type { Page } from './list-reader.ts';
import { EveryItem, ListReader, type ListSource, type PageReading, RecentItems } from './list-reader.ts';

/**
 * A list. It is a promise of the first page, which is requested on first use, and an iterable of all items, which reads page
 * after page.
 *
 * Awaiting a list again returns the same page. Each iteration, `pages()` and `toArray` read the list from the beginning, also
 * after a failure.
 *
 * If the service states a total, the list ends when the total is reached. A list that ends earlier is logged as a warning. A
 * total that is too low is not detected if a page ends exactly at it. Without a total, the list ends at an empty page, or at a
 * page shorter than `limit` if a maximum of `limit` is documented.
 *
 * If all items of a page were received before, the service ignores `offset` or repeats pages. The list then ends with a warning,
 * without that page. Items are equal if they have the same `id`, or the same JSON if they have no `id`. An iteration compares a
 * page with only a few earlier ones, so that its memory use is constant.
 *
 * Offset paging can skip or repeat items if the data changes meanwhile.
 *
 * The option `timeout` applies to each page. The option `signal` applies to the whole list, so `AbortSignal.timeout(60_000)` limits
 * an iteration and `toArray` to a minute.
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
  /** The first page with its `Response`. */
  withResponse(): Promise<WithResponse<Page<Item, Meta>, Meta>>;
  /**
   * All pages, each requested on demand. To resume after a failure, pass the `nextOffset` of the last page received as the
   * `offset` of a new list.
   *
   * @param options - `complete`: reject if the list may be incomplete, under the conditions of `toArray`. Pages received before
   * have already been returned. A page is compared with only a few earlier ones, so that memory use is constant
   * @throws `IncompleteListError`, without items, with `complete`, as soon as the list is known to be incomplete
   * @throws `ArgumentError` for an unknown option
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
   * `complete: true` compares each item with all earlier items, so it keeps their IDs in memory. Without a total, it continues
   * after a short page until a page is empty. It relies on the total of the service, or on an empty page of a list without a
   * total. It cannot detect items that were deleted or inserted meanwhile.
   *
   * @param options - `max`: maximum number of items to collect, an integer or `Infinity` (`limit` is the size of a page);
   * `complete`: reject unless the list is known to be complete
   * @returns the items, in the order of the service
   * @throws `IncompleteListError` if a page after the first fails or the list is aborted after items were received. It has these
   * items, the offset at which to resume, and the failure or the reason of the abort as its `cause`. With `complete`, also if the
   * list ends below its total, repeats an item, has more than `max` items, or has no total and is not paged without a `limit`
   * @throws the failure itself if the first page fails, and `signal.reason` if the list is aborted before any item was received
   * @throws `RangeError` if `max` is not an integer of 0 or more, or `Infinity`, and `ArgumentError` for an unknown option
   */
  toArray(options: { max: number; complete?: boolean }): Promise<Item[]>;
}

/**
 * A list that reads its pages from a source.
 *
 * @internal Omitted from the declarations, because checking it would slow down every user's compiler.
 */
export class PagedList<Item, Meta> implements List<Item, Meta> {
  readonly [Symbol.toStringTag] = 'List';
  readonly #source: ListSource;
  /** The page that `await` returns. Iterations do not use it, because it may be outdated or modified by the caller. */
  #first: Promise<PageReading<Item, Meta>> | undefined;

  constructor(source: ListSource) {
    this.#source = source;
    // For Node's `console.log`. Not a method, because a computed name would prevent bundlers from removing the unused class.
    const shown = `List { ${keyOf(source.operation)}: await it for its first page, or use for await }`;
    hide(this, inspect, () => shown);
  }

  async withResponse(): Promise<WithResponse<Page<Item, Meta>, Meta>> {
    this.#first ??= new ListReader<Item, Meta>(this.#source).read().catch((error: unknown) => {
      this.#first = undefined;
      throw error;
    });
    const { page, meta, response } = await this.#first;
    return { data: page, meta, response };
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is a promise, which `await` asks for `then`
  then<Kept = Page<Item, Meta>, Lost = never>(
    onFulfilled?: ((page: Page<Item, Meta>) => Kept | PromiseLike<Kept>) | null,
    onRejected?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): Promise<Kept | Lost> {
    // Pass the functions on unchanged: engines know those of `await`, and keep its line in the stack trace of an error.
    return this.#page().then(onFulfilled, onRejected);
  }

  catch<Lost = never>(
    onRejected?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): Promise<Page<Item, Meta> | Lost> {
    return this.#page().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Page<Item, Meta>> {
    return this.#page().finally(onFinally);
  }

  async #page(): Promise<Page<Item, Meta>> {
    const { data } = await this.withResponse();
    return data;
  }

  async *pages(
    options?: { complete?: boolean },
    ...more: unknown[]
  ): AsyncGenerator<Page<Item, Meta>, void, undefined> {
    this.#check(options, ['complete'], more);
    const { complete = false } = options ?? {};
    const reader = new ListReader<Item, Meta>(this.#source, complete);
    while (reader.nextOffset !== undefined) {
      const page = await reader.next();
      if (complete && reader.problem !== undefined) throw this.#incomplete(reader, reader.problem, page.offset);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  async toArray(options?: { max?: number; complete?: boolean }, ...more: unknown[]): Promise<Item[]> {
    this.#check(options, ['max', 'complete'], more);
    const { max, complete = false } = options ?? {};
    if (!isCount(max)) throw new RangeError('toArray needs a max: a whole number that is 0 or more, or Infinity');
    const items: Item[] = [];
    if (max === 0 && !complete) return items;
    const { offset, prepared } = this.#source;
    const signal = 'error' in prepared ? undefined : prepared.call.options.signal;
    const reader = new ListReader<Item, Meta>(this.#source, complete, complete ? new EveryItem() : new RecentItems());
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
        // Without a total, only another page can prove that the list is complete.
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

  /** Checks the arguments of a function of the list. */
  #check(options: unknown, known: string[], more: unknown[]): void {
    try {
      checkCount([options, ...more], ['options']);
      checkNames(readFields(options, 'options'), known, { one: 'option ', all: 'options' });
    } catch (error) {
      throw argumentError(keyOf(this.#source.operation), error);
    }
  }

  #incomplete(
    { call }: ListReader<Item, Meta>,
    problem: string,
    nextOffset: number,
    items: Item[] = [],
    failure?: ErrorOptions,
  ): IncompleteListError {
    const error = new IncompleteListError(
      `${keyOf(this.#source.operation)} ${problem}`,
      { items, nextOffset },
      failure,
    );
    return call ? identify(error, call) : error;
  }
}

function isCount(max: unknown): max is number {
  return typeof max === 'number' && max >= 0 && (Number.isInteger(max) || max === Number.POSITIVE_INFINITY);
}
