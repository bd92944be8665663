import type { WithResponse } from './call.ts';
import { ResponseError } from './errors/local-errors.ts';
import type { Paging } from './operation.ts';
import type { Logger } from './options.ts';

/** What a page came from, as the decision on the next one needs it. */
export interface PageState {
  received: number;
  offset: number;
  limit: number | undefined;
  total: number | undefined;
  /** The same items came for the page before: the service ignores the offset. */
  repeated: boolean;
}

/**
 * The offset of the next page, or nothing at the end: an empty page, the total reached, a page that repeats, or a page
 * shorter than what was asked for within a documented maximum. Elsewhere a short page is no end, since the service may
 * cap `limit` without saying so.
 */
export function nextOffset(paging: Paging, page: PageState): number | undefined {
  const { received, limit, total } = page;
  const next = page.offset + received;
  if (received === 0 || page.repeated || (total !== undefined && next >= total)) return undefined;
  if (paging.inferred && limit === undefined) return undefined;
  const { maximum } = paging;
  if (maximum !== undefined && limit !== undefined && limit <= maximum && received < limit) return undefined;
  return next;
}

/**
 * One page of a list.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * let page = await api.email.messages.list({ limit: 100 });
 * while (page.hasNextPage()) page = await page.nextPage();
 * console.log(page.data.at(-1)?.id);
 * ```
 */
export interface Page<Item, Meta = undefined> {
  /** The items of this page. */
  readonly data: Item[];
  /** How many items there are in all, where the service says so. */
  readonly total: number | undefined;
  /** What stood beside the items. */
  readonly meta: Meta;
  /** Whether another page can be asked for; it may turn out empty. */
  hasNextPage(): boolean;
  /** The next page; rejects with a `RangeError` after the last one, and with a `ResponseError` where this one is no list. */
  nextPage(): Promise<Page<Item, Meta>>;
}

/**
 * A list that starts on first use: `await` gives its first page, `for await` all items page after page. Offset paging can
 * skip or repeat items while data changes.
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
export interface List<Item, Meta = undefined> extends PromiseLike<Page<Item, Meta>>, AsyncIterable<Item> {
  /** The first page with the `Response` that it came in. */
  withResponse(): Promise<WithResponse<Page<Item, Meta>, Meta>>;
  /**
   * All items, at most `max` of them. It rejects with a `RangeError` for a `max` below 0.
   *
   * @param options - `max`: how many items to collect at the most (`limit` is the size of a page, not a total)
   * @returns the items, in the order of the service
   */
  toArray(options: { max: number }): Promise<Item[]>;
}

export interface ListSource<Item, Meta> {
  paging: Paging;
  limit: number | undefined;
  offset: number;
  fetch(position: { limit: number | undefined; offset: number }): Promise<WithResponse<Item[], Meta>>;
  logger: Logger;
  operation: string;
  operationId: string;
}

type LoadedPage<Item, Meta> = WithResponse<Page<Item, Meta>, Meta>;

/** The list over a source of pages. */
export class PagedList<Item, Meta> implements List<Item, Meta> {
  readonly #source: ListSource<Item, Meta>;
  #first: Promise<LoadedPage<Item, Meta>> | undefined;

  constructor(source: ListSource<Item, Meta>) {
    this.#source = source;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page, which asks for `then`
  then<Kept = Page<Item, Meta>, Lost = never>(
    onFulfilled?: ((page: Page<Item, Meta>) => Kept | PromiseLike<Kept>) | null,
    onRejected?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): Promise<Kept | Lost> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  withResponse(): Promise<LoadedPage<Item, Meta>> {
    this.#first ??= this.#load(this.#source.offset, undefined);
    return this.#first;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let { data: page } = await this.withResponse();
    for (;;) {
      if (Array.isArray(page.data)) {
        yield* page.data;
        if (!page.hasNextPage()) return;
      }
      page = await page.nextPage();
    }
  }

  async toArray({ max }: { max: number }): Promise<Item[]> {
    if (!(max >= 0)) throw new RangeError('toArray({ max }) wants the largest number of items to collect');
    const items: Item[] = [];
    if (max === 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  async #load(offset: number, before: string | undefined): Promise<LoadedPage<Item, Meta>> {
    const { paging, limit, logger, operation, operationId } = this.#source;
    const { data: payload, meta, response } = await this.#source.fetch({ limit, offset });
    // No payload is no items.
    const items = payload ?? [];
    const total = totalOf(meta);
    // A drifted reply may be no list: it is shown as it is, and there is nothing to go on with.
    const received = Array.isArray(items) ? items.length : 0;
    const fingerprint = received > 0 ? JSON.stringify(items) : undefined;
    const repeated = fingerprint !== undefined && fingerprint === before;
    if (repeated) logger.warn(`carillon: ${operation} gives the same page again; the list ends here`);
    const next = nextOffset(paging, { received, offset, limit, total, repeated });
    const data: Page<Item, Meta> = {
      data: repeated ? [] : items,
      total,
      meta,
      hasNextPage: () => next !== undefined,
      nextPage: async () => {
        if (!Array.isArray(items)) {
          const details = { status: response.status, operationId, body: JSON.stringify(items) };
          throw new ResponseError(`${operation} answered with something else than a list`, details);
        }
        if (next === undefined) throw new RangeError(`${operation}: this was the last page`);
        return (await this.#load(next, fingerprint)).data;
      },
    };
    return { data, meta, response };
  }
}

function totalOf(meta: unknown): number | undefined {
  const total = typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'total') : undefined;
  return typeof total === 'number' ? total : undefined;
}
