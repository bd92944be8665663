import { ResponsePromise, type WithResponse } from './call.ts';
import { identify } from './call-state.ts';
import { type CallDetails, CarillonError } from './errors/base.ts';
import { IncompleteListError } from './errors/incomplete-list-error.ts';
import { type ListSource, type LoadedPage, loadPage, type Page } from './page.ts';

/**
 * A list: a promise of its first page that starts on first use, and an iterable of all items, page after page. If the
 * service states a total, the list ends when the total is reached; a list that ends below it is a warning to the logger. A
 * total that is too low goes unnoticed if a page ends exactly at it.
 * Offset paging can skip or repeat items while data changes. A list that failed can be used again: it starts again.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * for await (const contact of api.crm.contacts.list({ firstName: 'Ann' })) console.log(contact.id);
 *
 * const page = await api.crm.contacts.list({ limit: 20 });
 * console.log(page.data.length, page.total, page.hasNextPage());
 * ```
 */
export interface List<Item, Meta = undefined> extends Promise<Page<Item, Meta>>, AsyncIterable<Item> {
  /** The first page with the `Response` that it came in. */
  withResponse(): Promise<WithResponse<Page<Item, Meta>, Meta>>;
  /**
   * All pages, each requested when it is wanted. To resume after a failure, give the `nextOffset` of the last page that came
   * as the `offset` of a new list.
   *
   * @example
   * ```ts
   * import { createClient } from 'carillon';
   *
   * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
   * for await (const page of api.crm.contacts.list().pages()) console.log(page.data.length, page.nextOffset);
   * ```
   */
  pages(): AsyncGenerator<Page<Item, Meta>, void, undefined>;
  /**
   * All items, at most `max` of them. It rejects with a `RangeError` for a `max` below 0, and with an
   * `IncompleteListError` if a page after the first fails: the error has the items received, and where to resume.
   *
   * @param options - `max`: the most items to collect (`limit` is the size of a page, not a total); `complete`: reject with
   * an `IncompleteListError` if the list ends below its total, gives items twice, or has more than `max` items
   * @returns the items, in the order of the service
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
  #first: Promise<WithResponse<LoadedPage<Item, Meta>, Meta>> | undefined;

  constructor(source: ListSource<Item, Meta>) {
    super();
    this.#source = source;
  }

  withResponse(): Promise<WithResponse<LoadedPage<Item, Meta>, Meta>> {
    this.#first ??= loadPage(this.#source).catch((error: unknown) => {
      this.#first = undefined;
      throw error;
    });
    return this.#first;
  }

  async *pages(): AsyncGenerator<LoadedPage<Item, Meta>, void, undefined> {
    let { data: page } = await this.withResponse();
    for (;;) {
      if (Array.isArray(page.data)) {
        yield page;
        if (!page.hasNextPage()) return;
      }
      page = await page.nextPage();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  async toArray({ max = -1, complete }: { max?: number; complete?: boolean } = {}): Promise<Item[]> {
    if (!(max >= 0)) throw new RangeError('toArray needs a max, 0 or more');
    const items: Item[] = [];
    if (max === 0) return items;
    /** The call that the list ended with. */
    let call: Partial<CallDetails> = {};
    let nextOffset = 0;
    let problem: string | undefined;
    let failure: ErrorOptions | undefined;
    try {
      for await (const page of this.pages()) {
        call = page.call;
        const taken = page.data.slice(0, Math.ceil(max) - items.length);
        for (const item of taken) items.push(item);
        const end = page.offset + taken.length;
        const more = taken.length < page.data.length ? end : page.nextOffset;
        nextOffset = more ?? end;
        problem = page.problem;
        if (items.length >= max && more !== undefined) {
          problem = 'has more than max items';
          break;
        }
      }
    } catch (cause) {
      // An abort keeps its reason.
      if (items.length === 0 || !(cause instanceof CarillonError)) throw cause;
      problem = `failed after ${items.length} items`;
      call = cause;
      failure = { cause };
    }
    if (!problem || !(complete || failure)) return items;
    const error = new IncompleteListError(`${this.#source.operation} ${problem}`, { items, nextOffset }, failure);
    throw identify(error, call);
  }
}
