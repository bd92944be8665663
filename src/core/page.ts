import type { PendingCall, WithResponse } from './call.ts';
import { type CallState, identify } from './call-state.ts';
import { defined, isRecord } from './envelope.ts';
import { hide } from './errors/base.ts';
import { ResponseError } from './errors/local-errors.ts';
import type { Paging } from './operation.ts';
import type { Logger } from './options.ts';

/** What is known of a list after a page. */
export interface ListState {
  /** Items of the page. */
  received: number;
  offset: number;
  /** Items so far, counted from the start of the whole list. */
  reached: number;
  /** The largest total that the service has stated so far, or 0. */
  total: number;
  /** Items of the largest page so far. */
  size: number;
  /** The items of the last page that had any, as JSON. */
  keys: readonly string[];
  /** Why the list is not complete, or may not be. */
  problem: string | undefined;
}

/**
 * The offset of the next page, or `undefined` at the end. A total decides: the list ends when it is reached, or after two
 * empty pages. Without one, the list ends at an empty page, or at a page shorter than was asked for within a documented
 * maximum. Elsewhere a short page is not the end, since the service may cap `limit` without saying so.
 *
 * @param before - items of the page before
 */
export function nextOffset(
  { inferred, maximum }: Paging,
  limit: number | undefined,
  { received, offset, total, size }: Pick<ListState, 'received' | 'offset' | 'total' | 'size'>,
  before?: number,
): number | undefined {
  if (inferred && limit === undefined) return undefined;
  const next = offset + received;
  if (received === 0) {
    if (next >= total || before === 0) return undefined;
    const beyond = offset + (size || limit || 0);
    return beyond < total ? beyond : offset;
  }
  if (next <= total) return next < total ? next : undefined;
  // Items beyond a total contradict it: then it is as good as none.
  return limit !== undefined && limit <= (maximum ?? 0) && received < limit ? undefined : next;
}

/**
 * One page of a list. Its properties are plain data, which `structuredClone` and JSON keep; its methods are not copied.
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
  /** How many items there are in all, if the service says so. */
  readonly total?: number;
  /** What the envelope has beside the items. */
  readonly meta: Meta;
  /** How many items of the list come before this page. */
  readonly offset: number;
  /** The `offset` of the next page: a list can be resumed from it. Absent after the last page. */
  readonly nextOffset?: number;
  /** Whether another page can be asked for; it may turn out empty. */
  hasNextPage(): boolean;
  /** The next page. Rejects with a `RangeError` after the last one, and with a `ResponseError` if this one is not a list. */
  nextPage(): Promise<Page<Item, Meta>>;
}

/**
 * Where the pages of a list come from.
 *
 * @internal
 */
export interface ListSource<Item, Meta> {
  paging: Paging;
  limit: number | undefined;
  offset: number;
  fetch(position: { limit: number | undefined; offset: number }): PendingCall<Item[], Meta>;
  logger: Logger;
  operation: string;
}

/**
 * The state is not enumerable, since it is not data. Private fields would break behind the proxies of reactive frameworks.
 *
 * @internal
 */
export class LoadedPage<Item, Meta> implements Page<Item, Meta> {
  declare readonly data: Item[];
  declare readonly total?: number;
  declare readonly meta: Meta;
  declare readonly offset: number;
  declare readonly nextOffset?: number;
  /** Why the list is not, or may not be, complete. */
  declare readonly problem: string | undefined;
  declare readonly load: () => Promise<LoadedPage<Item, Meta>>;
  /** The call that the page came from. */
  declare readonly call: CallState;

  constructor(data: object, problem: string | undefined, call: CallState, load: () => Promise<LoadedPage<Item, Meta>>) {
    // What is absent has no key, as in JSON.
    Object.assign(this, defined(data));
    hide(this, 'problem', problem);
    hide(this, 'load', load);
    hide(this, 'call', call);
  }

  hasNextPage(): boolean {
    return this.nextOffset !== undefined;
  }

  nextPage(): Promise<LoadedPage<Item, Meta>> {
    return this.load();
  }
}

type Past = Omit<ListState, 'received' | 'offset'> & { received?: number };

/**
 * Asks for a page.
 *
 * @internal
 */
export async function loadPage<Item, Meta>(
  source: ListSource<Item, Meta>,
  offset = source.offset,
  past: Past = { reached: offset, total: 0, size: 0, keys: [], problem: undefined },
): Promise<WithResponse<LoadedPage<Item, Meta>, Meta>> {
  const { paging, limit, logger, operation } = source;
  const call = source.fetch({ limit, offset });
  const { data: payload, meta, response } = await call.withResponse();
  // No payload is no items.
  const items = payload ?? [];
  // A drifted reply may be no list: it is shown as it is, and there is nothing to go on with.
  const isList = Array.isArray(items);
  const keys = isList ? items.map((item) => JSON.stringify(item)) : [];
  const stated = isRecord(meta) && typeof meta.total === 'number' ? meta.total : undefined;
  const received = keys.length;
  const state: ListState = {
    ...past,
    received,
    offset,
    reached: past.reached + received,
    total: Math.max(stated ?? 0, past.total),
    size: Math.max(received, past.size),
    ...(received > 0 && { keys }),
  };
  const repeated = received > 0 && String(keys) === String(past.keys);
  const next = isList && !repeated ? nextOffset(paging, limit, state, past.received) : undefined;
  if (repeated) state.problem ??= 'repeats a page; the list ends here';
  if (past.keys.includes(keys[0] ?? '')) state.problem ??= 'repeats items; others may be missing';
  if (isList && next === undefined && state.reached < state.total) {
    state.problem ??= `ended after ${state.reached - source.offset} of ${state.total - source.offset} items`;
  }
  if (state.problem && !past.problem) logger.warn(`carillon: ${operation} ${state.problem}`);
  const shown = { data: repeated ? [] : items, total: stated, meta, offset, nextOffset: next };
  const data = new LoadedPage<Item, Meta>(shown, state.problem, call.state, async () => {
    if (!isList) {
      const details = { status: response.status, body: JSON.stringify(items) };
      throw identify(new ResponseError(`${operation} did not answer with a list`, details), call.state);
    }
    if (next === undefined) throw new RangeError(`${operation}: this was the last page`);
    return (await loadPage(source, next, state)).data;
  });
  return { data, meta, response };
}
