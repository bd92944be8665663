/** Types that generated methods and calls by path use, in addition to the models of the API. */

/**
 * Whether any attempt of a call may have been processed:
 *
 * - `no`: no attempt was sent
 * - `maybe`: an attempt may have been processed, because its response was lost or is not documented, or because the call
 *   continued after a failed attempt
 * - `yes`: the service responded to the only attempt that may have been processed. The status of the error, if there is one,
 *   indicates the outcome
 *
 * The service has no idempotency keys. Use this value to decide whether to repeat a call that creates or sends something.
 */
export type Sent = 'no' | 'maybe' | 'yes';

/**
 * Options of one call, made through a method or by path.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const deal = await api.crm.deals.get({ dealId: 501 }, { timeout: 5_000, signal: AbortSignal.timeout(3_000) });
 * console.log(deal.name);
 * ```
 */
export interface CallOptions {
  /** Aborts the call, which then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /**
   * Deadline of this call in milliseconds, above 0. Overrides the client's deadline. For a list, this is the deadline of each
   * page. To limit the whole list, use a `signal`, such as `AbortSignal.timeout(60_000)`.
   */
  timeout?: number | undefined;
  /** Timeout of one attempt of this call in milliseconds, above 0. Overrides the client's timeout. */
  attemptTimeout?: number | undefined;
  /** Maximum number of retries of this call, an integer; 0 for none. Overrides the client's maximum. */
  maxRetries?: number | undefined;
  /** Whether this call, if it creates or sends something, is sent again after a 401 or 429. Overrides the client's option. */
  replayCreates?: boolean | undefined;
  /** Headers of this call. They override the client's headers. `authorization` is invalid unless `auth` is `null`. */
  headers?: Record<string, string> | undefined;
}

/** Options of a method call, besides its parameters. */
export type MethodOptions = CallOptions;

/** A `Blob` or `File` of any platform. The client reads the content during the call. */
export interface BlobLike {
  /** Number of bytes. */
  readonly size: number;
  /** Resolves to the content. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The content of a file: bytes, or a `Blob` or `File` that the client reads during the call. */
export type FileContent = Uint8Array | ArrayBuffer | BlobLike;

/** Result of `.withResponse()`: payload, metadata and response. */
export interface WithResponse<Data, Meta> {
  /** Payload without its envelope. `undefined` if no body is documented. */
  data: Data;
  /** Other fields of the envelope, such as a total. `undefined` if none are documented. */
  meta: Meta;
  /** Status and headers of the response. The body has been read. */
  response: Response;
}

/**
 * A call in progress. `await` returns the payload, and `.withResponse()` returns the payload, metadata and response. The call
 * rejects with an `ApiError`, `ConnectionError`, `DeadlineError`, `TokenError`, `ResponseError`, `ArgumentError` or
 * `ConfigError`, or with `signal.reason`.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const { data, response } = await api.crm.deals.get({ dealId: 501 }).withResponse();
 * console.log(response.status, data.name);
 * ```
 */
export interface Call<Data, Meta = undefined> extends Promise<Data> {
  /**
   * Whether any attempt of the call may have been processed so far. Read this property after an abort, because the call then
   * rejects with the unchanged `signal.reason`.
   */
  readonly sent: Sent;
  /** Resolves to the payload, the metadata and the `Response` (status and headers; the body has been read). */
  withResponse(): Promise<WithResponse<Data, Meta>>;
}

/**
 * One page of a list: a plain object without functions, so that it can be serialized as JSON, cloned with `structuredClone`, and
 * passed from a React server component to a client component. To get the next page, pass `nextOffset` as the `offset` of a list
 * with the same parameters, or iterate over `list.pages()`.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const page = await api.email.messages.list({ limit: 100 });
 * console.log(page.data.length);
 * if (page.nextOffset !== undefined) {
 *   const next = await api.email.messages.list({ limit: 100, offset: page.nextOffset });
 *   console.log(next.data.at(-1)?.id);
 * }
 * ```
 */
export interface Page<Item, Meta = undefined> {
  /** The items on this page. */
  readonly data: Item[];
  /** Number of items in the whole list, if the service states it. */
  readonly total?: number;
  /** Other fields of the envelope. */
  readonly meta: Meta;
  /** Number of items in the list before this page. */
  readonly offset: number;
  /** The `offset` of the next page, which can be empty. Absent on the last page. */
  readonly nextOffset?: number;
}

/**
 * A list. It is a promise of the first page, which is requested on first use, and an iterable of all items, which reads the
 * list page by page.
 *
 * Awaiting a list again returns the same page. Each iteration and each call of `pages()` or `toArray` reads the list from the
 * beginning, even after a failure.
 *
 * If the service states a total, the list ends when the total is reached. A list that ends earlier is logged as a warning. The
 * client cannot detect a total that is too low if a page ends exactly at that total. If the service states no total, the
 * list ends at an empty page, or at a page shorter than `limit` if a maximum for `limit` is documented.
 *
 * If all items of a page were received before, the service ignores `offset` or repeats pages. The list then ends with a
 * warning, without that page. Items are equal if they have the same `id`, or the same JSON if they have no `id`. An iteration
 * compares a page with only a few earlier pages, so that its memory use is constant.
 *
 * Offset paging can skip or repeat items if the data changes meanwhile.
 *
 * The option `timeout` applies to each page. The option `signal` applies to the whole list, so `AbortSignal.timeout(60_000)`
 * limits an iteration or `toArray` to one minute.
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
   * @param options - `complete`: reject if the list may be incomplete, under the same conditions as in `toArray`. Earlier pages
   * have already been returned. The list compares a page with only a few earlier pages, so that memory use is constant
   * @throws `IncompleteListError` without items, if `complete` is set, as soon as the list is known to be incomplete
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
   * With `complete: true`, each item is compared with all earlier items, so their IDs are kept in memory. If the service states
   * no total, paging continues after a short page until a page is empty. The check relies on the total that the service states,
   * or otherwise on an empty page. It cannot detect items that were deleted or inserted meanwhile.
   *
   * @param options - `max`: maximum number of items to collect, an integer or `Infinity` (`limit` is the size of a page);
   * `complete`: reject unless the list is known to be complete
   * @returns the items, in the order of the service
   * @throws `IncompleteListError` if a page after the first fails or the list is aborted after items were received. The error
   * contains these items, the offset at which to resume, and the failure or the abort reason as its `cause`. If `complete` is
   * set, also thrown if the list ends below its total, repeats an item, has more than `max` items, or has no total and is not
   * paged because `limit` is not set
   * @throws the failure itself if the first page fails, and `signal.reason` if the list is aborted before any item was received
   * @throws `RangeError` if `max` is neither `Infinity` nor an integer of 0 or more, and `ArgumentError` for an unknown option
   */
  toArray(options: { max: number; complete?: boolean }): Promise<Item[]>;
}
