import type { Paging } from '../../shared/operation.ts';

/**
 * One page of a list: a plain object without functions. It survives JSON and `structuredClone`, and a React server component can
 * pass it to a client component. To get the next page, give `nextOffset` as the `offset` of a list with the same parameters, or
 * iterate over `list.pages()`.
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
  /** How many items there are in all, if the service says so. */
  readonly total?: number;
  /** What the envelope has beside the items. */
  readonly meta: Meta;
  /** How many items of the list come before this page. */
  readonly offset: number;
  /** The `offset` of the next page, which may turn out empty. Absent after the last page. */
  readonly nextOffset?: number;
}

/** The state of a list after a page. */
export interface ListState {
  /** Items of the page. */
  received: number;
  offset: number;
  /** The largest total that the service has stated so far, or 0. */
  total: number;
}

/**
 * The offset of the next page, or `undefined` at the end. A total decides: the list ends when it is reached, or when the
 * same page comes empty twice. Without one, the list ends at an empty page, or at a page shorter than was asked for within a documented
 * maximum. Elsewhere a short page is not the end, since the service may cap `limit` without saying so.
 *
 * @param before - items of the page before
 */
export function nextOffset(
  { inferred, maximum }: Paging,
  limit: number | undefined,
  { received, offset, total }: ListState,
  before?: number,
): number | undefined {
  if (inferred && limit === undefined) return undefined;
  const next = offset + received;
  // To go on behind an empty page could leave items out: it is asked for once more.
  if (received === 0) return next >= total || before === 0 ? undefined : offset;
  if (next <= total) return next < total ? next : undefined;
  // If there are more items than `total`, ignore `total`.
  return limit !== undefined && limit <= (maximum ?? 0) && received < limit ? undefined : next;
}
