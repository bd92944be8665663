import { CarillonError, hide } from './base.ts';

/** Details of an incomplete list. */
export interface IncompleteListDetails {
  /** The items received. */
  items: unknown[];
  /** Offset of the first item that is missing from `items`. */
  nextOffset: number;
}

/**
 * `toArray` could not return the whole list. The error has the items received so far and the offset at which to resume. Possible
 * reasons:
 *
 * - A page after the first failed. The failure is the `cause`.
 * - The list was aborted after items were received. The `cause` is `signal.reason`.
 * - With `complete: true`, the list ended below its total, repeated an item, has more than `max` items, or has no total and only
 *   one page unless `limit` is set. There is no `cause`.
 *
 * @example
 * ```ts
 * import { createClient, isCarillonError } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * try {
 *   console.log(await api.crm.contacts.list().toArray({ max: 10_000, complete: true }));
 * } catch (error) {
 *   if (!isCarillonError(error, 'IncompleteListError')) throw error;
 *   console.log(error.message, error.items.length);
 *   const rest = await api.crm.contacts.list({ offset: error.nextOffset }).toArray({ max: 10_000 });
 *   console.log(rest.length);
 * }
 * ```
 */
export class IncompleteListError extends CarillonError {
  /** Always `IncompleteListError`. */
  override readonly name = 'IncompleteListError';
  /** `operationId` of the list operation. */
  declare readonly operationId: string;
  /**
   * Offset after the items received. To resume, pass it as `offset` to a list with the same parameters. If the list repeats
   * items, start again instead.
   */
  declare readonly nextOffset: number;
  /** The items received, in order. Not enumerable, because they can contain personal data. */
  declare readonly items: unknown[];

  /**
   * @param message - what is missing
   * @param details - the items received, and the offset at which to resume
   * @param options - `cause`: the failure of the next page, or the reason of the abort
   */
  constructor(message: string, { items, ...shown }: IncompleteListDetails, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, shown);
    hide(this, 'items', items);
  }
}
