import type { Paging } from '../../shared/operation.ts';

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
  /** The items of this page. */
  readonly data: Item[];
  /** Number of all items of the list, if the service states it. */
  readonly total?: number;
  /** Other fields of the envelope. */
  readonly meta: Meta;
  /** Number of items of the list before this page. */
  readonly offset: number;
  /** The `offset` of the next page, which can be empty. Absent on the last page. */
  readonly nextOffset?: number;
}

/** The state of a list after a page. */
export interface ListState {
  /** Number of items of the page. */
  received: number;
  offset: number;
  /** Largest total that the service has stated so far, or 0. */
  total: number;
}

/**
 * Returns the offset of the next page, or `undefined` at the end. With a total, the list ends when it is reached, or when the
 * same page is empty twice. Without one, the list ends at an empty page, or at a page shorter than `limit` if a maximum is
 * documented and `limit` is within it. Otherwise a short page is not the end, because the service may silently cap `limit`.
 *
 * @param before - number of items of the previous page
 */
export function nextOffset(
  { inferred, maximum }: Paging,
  limit: number | undefined,
  { received, offset, total }: ListState,
  before?: number,
): number | undefined {
  if (inferred && limit === undefined) return undefined;
  const next = offset + received;
  // Continuing after an empty page could skip items, so request it once more.
  if (received === 0) return next >= total || before === 0 ? undefined : offset;
  if (next <= total) return next < total ? next : undefined;
  // If there are more items than `total`, ignore `total`.
  return limit !== undefined && limit <= (maximum ?? 0) && received < limit ? undefined : next;
}
