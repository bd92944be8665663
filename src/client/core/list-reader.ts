import type { Page } from '../../shared/call-types.ts';
import { isRecord } from '../../shared/is-record.ts';
import { keyOf, type Operation, type Paging } from '../../shared/operation.ts';
import { type PendingCall, type ProductContext, startMethod, stateKey } from './call.ts';
import type { CallState } from './call-state.ts';
import { defined } from './check-options.ts';
import { type Prepared, type PreparedMethodCall, prepareMethod } from './prepare.ts';

/**
 * The state of a list after a page.
 *
 * @internal
 */
export interface ListState {
  /** Number of items on the page. */
  received: number;
  offset: number;
  /** Largest total that the service has stated so far, or 0. */
  total: number;
}

/**
 * Returns the offset of the next page, or `undefined` at the end. If the service states a total, the list ends when the total
 * is reached, or when the same page is empty twice. If the service states no total, the list ends at an empty page, or at a
 * page shorter than `limit` if a maximum is documented and `limit` is within it. Otherwise a short page is not the end, because
 * the service may silently cap `limit`.
 *
 * @param before - number of items on the previous page
 *
 * @internal
 */
export function nextOffset(
  { inferred, maximum }: Paging,
  limit: number | undefined,
  { received, offset, total }: ListState,
  before?: number,
): number | undefined {
  if (inferred && limit === undefined) return undefined;
  const next = offset + received;
  // Continuing after an empty page could skip items, so request the same page once more.
  if (received === 0) return next >= total || before === 0 ? undefined : offset;
  if (next <= total) return next < total ? next : undefined;
  // If there are more items than `total`, ignore `total`.
  return limit !== undefined && limit <= (maximum ?? 0) && received < limit ? undefined : next;
}

/**
 * Data for requesting the pages of a list.
 *
 * @internal
 */
export interface ListSource {
  product: ProductContext;
  operation: Operation;
  paging: Paging;
  /** The call for the first page. Calls for other pages have the same parameters and options, except for the position. */
  prepared: Prepared<PreparedMethodCall>;
  limit: number | undefined;
  offset: number;
}

/**
 * A page with its metadata and response.
 *
 * @internal
 */
export interface PageReading<Item, Meta> {
  page: Page<Item, Meta>;
  meta: Meta;
  response: Response;
}

/**
 * Reads a list once, page by page.
 *
 * @internal
 */
export class ListReader<Item, Meta> {
  /** Offset of the next page, or `undefined` after the last page. */
  nextOffset: number | undefined;
  /** Call for the last requested page. */
  call: CallState | undefined;
  /** Why the list is or may be incomplete. */
  problem: string | undefined;
  readonly #source: ListSource;
  readonly #mustBeComplete: boolean;
  /** Offset after the items received so far. */
  #reached: number;
  #total = 0;
  /** Keys of the items on the previous page. */
  #before: ReadonlySet<unknown> | undefined;

  /** @param mustBeComplete - whether a short page does not count as the end */
  constructor(source: ListSource, mustBeComplete = false) {
    this.#source = source;
    this.#mustBeComplete = mustBeComplete;
    this.#reached = source.offset;
    this.nextOffset = source.offset;
  }

  /** Whether a page has been received. */
  get hasBegun(): boolean {
    return this.#before !== undefined;
  }

  /** Whether the total that the service stated has not been reached yet. */
  get isBelowTotal(): boolean {
    return this.#reached < this.#total;
  }

  /** Reads the next page. */
  async read(): Promise<PageReading<Item, Meta>> {
    const offset = this.nextOffset ?? this.#source.offset;
    const call: PendingCall<Item[], Meta> = requestPage(this.#source, offset);
    this.call = call[stateKey];
    const { data, meta, response } = await call.withResponse();
    const total = isRecord(meta) ? readTotal(meta.total) : undefined;
    const isRepeated = this.#note(data, offset, total);
    const shown = { data: isRepeated ? [] : data, total, meta, offset, nextOffset: this.nextOffset };
    // Omit the keys of undefined values, as in JSON.
    return { page: defined(shown) as Page<Item, Meta>, meta, response };
  }

  /** Updates the position and the problem after a page. Returns whether all items on the page were also on the previous page. */
  #note(items: readonly Item[], offset: number, total: number | undefined): boolean {
    const { product, operation, paging, limit, offset: start } = this.#source;
    const received = items.length;
    const keys = items.map(itemKey);
    const repeated = keys.filter((key) => this.#before?.has(key)).length;
    const isRepeated = received > 0 && repeated === received;
    this.#reached += received;
    this.#total = Math.max(total ?? 0, this.#total);
    const rules = this.#mustBeComplete ? withoutMaximum(paging) : paging;
    const state = { received, offset, total: this.#total };
    this.nextOffset = isRepeated ? undefined : nextOffset(rules, limit, state, this.#before?.size);
    this.#before = new Set(keys);
    const hadProblem = this.problem !== undefined;
    if (isRepeated) this.problem ??= 'repeats a page; the list ends here';
    else if (repeated > 0) this.problem ??= 'repeats items; other items may be missing';
    if (this.nextOffset === undefined && this.isBelowTotal) {
      this.problem ??= `ended after ${this.#reached - start} of ${this.#total - start} items`;
    }
    if (this.problem && !hadProblem) product.settings.logger.warn(`carillon: ${keyOf(operation)} ${this.problem}`);
    // If there is no total, a single unpaged response does not mean that the list is complete. Only `complete: true` reports this.
    const isUnpaged = paging.inferred && limit === undefined;
    if (this.#mustBeComplete && isUnpaged && total === undefined && received > 0) {
      this.problem ??= "has no total, and is not paged because 'limit' is not set";
    }
    return isRepeated;
  }
}

/** Requests a page with the parameters of the list. */
function requestPage<Item, Meta>(source: ListSource, offset: number): PendingCall<Item[], Meta> {
  const { product, operation, paging, prepared, limit } = source;
  if ('error' in prepared) return startMethod(product, operation, prepared);
  const { params, options } = prepared.call;
  const position = {
    // If there is no limit, the service's default applies.
    ...(limit !== undefined && { [paging.limit]: limit }),
    ...(offset > 0 && { [paging.offset]: offset }),
  };
  const page = prepareMethod(operation, [{ ...params, ...position }, options], requestPage);
  return startMethod(product, operation, page);
}

/** Paging rules under which a short page is not the end, because a service may shorten a page. */
function withoutMaximum({ maximum: _, ...rules }: Paging): Paging {
  return rules;
}

/** Reads a total, even if the total is a string. */
function readTotal(total: unknown): number | undefined {
  if (typeof total === 'number') return total;
  return typeof total === 'string' && /^\d+$/.test(total) ? Number(total) : undefined;
}

/**
 * Key of an item: its `id`, which does not change with other fields, or its JSON if it has no `id`.
 *
 * @internal
 */
export function itemKey(item: unknown): unknown {
  if (isRecord(item) && (typeof item.id === 'string' || typeof item.id === 'number')) return `id ${item.id}`;
  try {
    return JSON.stringify(item);
  } catch {
    // The item is nested too deeply to be compared.
    return item;
  }
}
