import { isRecord } from '../../shared/is-record.ts';
import type { Paging } from '../../shared/operation.ts';
import { type PendingCall, stateKey } from './call.ts';
import { type CallState, identify } from './call-state.ts';
import { defined } from './envelope.ts';
import { ResponseError } from './errors/local-errors.ts';
import { type KnownItems, RecentItems } from './known-items.ts';
import type { Logger } from './options.ts';
import { nextOffset, type Page } from './page.ts';

/** Source of the pages of a list. */
export interface ListSource<Item, Meta> {
  paging: Paging;
  limit: number | undefined;
  offset: number;
  fetch(position: { limit: number | undefined; offset: number }): PendingCall<Item[], Meta>;
  /** Aborts each request. */
  signal?: AbortSignal | undefined;
  logger: Logger;
  operation: string;
}

/** A page with its metadata and response. */
export interface PageReading<Item, Meta> {
  page: Page<Item, Meta>;
  meta: Meta;
  response: Response;
  /** Whether the reply contains a list. A reply of another shape is returned unchanged and has no next page. */
  isList: boolean;
}

/** Reads a list once, page after page. */
export class ListReader<Item, Meta> {
  /** Offset of the next page, or `undefined` after the last one. */
  nextOffset: number | undefined;
  /** Call of the last requested page. */
  call: CallState | undefined;
  /** Why the list is or may be incomplete. */
  problem: string | undefined;
  readonly #source: ListSource<Item, Meta>;
  readonly #mustBeComplete: boolean;
  readonly #known: KnownItems;
  /** Offset after the items received so far. */
  #reached: number;
  #total = 0;
  /** Number of items of the previous page. */
  #before: number | undefined;

  /**
   * @param mustBeComplete - does not treat a short page as the end
   * @param known - remembers items, to detect repeated ones
   */
  constructor(source: ListSource<Item, Meta>, mustBeComplete = false, known: KnownItems = new RecentItems()) {
    this.#source = source;
    this.#mustBeComplete = mustBeComplete;
    this.#known = known;
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

  /** Reads the next page. Accepts a reply of any shape. */
  async read(): Promise<PageReading<Item, Meta>> {
    const { limit, fetch, offset: start } = this.#source;
    const offset = this.nextOffset ?? start;
    const call = fetch({ limit, offset });
    this.call = call[stateKey];
    const { data: payload, meta, response } = await call.withResponse();
    // A missing payload is an empty list.
    const items = payload ?? [];
    const isList = Array.isArray(items);
    const total = isRecord(meta) ? readTotal(meta.total) : undefined;
    const isRepeated = isList ? this.#note(items, offset, total) : false;
    if (!isList) this.nextOffset = undefined;
    const shown = { data: isRepeated ? [] : items, total, meta, offset, nextOffset: this.nextOffset };
    // Omit the keys of undefined values, as in JSON.
    return { page: defined(shown) as Page<Item, Meta>, meta, response, isList };
  }

  /**
   * Reads the next page.
   *
   * @throws `ResponseError` if the reply does not contain a list
   */
  async next(): Promise<Page<Item, Meta>> {
    const { page, response, isList } = await this.read();
    if (isList) return page;
    const { operation } = this.#source;
    const details = { status: response.status, body: textOf(page.data) };
    const error = new ResponseError(`${operation} did not answer with a list`, details);
    throw this.call ? identify(error, this.call) : error;
  }

  /** Updates the position and the problem after a page. Returns whether the page has only items that were received before. */
  #note(items: readonly Item[], offset: number, total: number | undefined): boolean {
    const { paging, limit, logger, operation, offset: start } = this.#source;
    const received = items.length;
    const repeated = this.#known.add(items);
    const isRepeated = repeated === 'everything';
    this.#reached += received;
    this.#total = Math.max(total ?? 0, this.#total);
    const rules = this.#mustBeComplete ? withoutMaximum(paging) : paging;
    const state = { received, offset, total: this.#total };
    this.nextOffset = isRepeated ? undefined : nextOffset(rules, limit, state, this.#before);
    this.#before = received;
    const hadProblem = this.problem !== undefined;
    if (isRepeated) this.problem ??= 'repeats a page; the list ends here';
    if (repeated === 'some') this.problem ??= 'repeats items; others may be missing';
    if (this.nextOffset === undefined && this.isBelowTotal) {
      this.problem ??= `ended after ${this.#reached - start} of ${this.#total - start} items`;
    }
    if (this.problem && !hadProblem) logger.warn(`carillon: ${operation} ${this.problem}`);
    // Without a total, a single unpaged reply does not prove that the list is complete. Only `complete: true` reports this.
    const isUnpaged = paging.inferred && limit === undefined;
    if (this.#mustBeComplete && isUnpaged && total === undefined && received > 0) {
      this.problem ??= 'states no total, and is one page unless you give it a limit';
    }
    return isRepeated;
  }
}

/** Paging rules by which a short page is not the end, because a service may shorten a page. */
function withoutMaximum({ maximum: _, ...rules }: Paging): Paging {
  return rules;
}

/** Reads a total, also if it is a string. */
function readTotal(total: unknown): number | undefined {
  if (typeof total === 'number') return total;
  return typeof total === 'string' && /^\d+$/.test(total) ? Number(total) : undefined;
}

/** JSON of a reply, or an empty string if it is nested too deeply. */
function textOf(data: unknown): string {
  try {
    return JSON.stringify(data);
  } catch {
    return '';
  }
}
