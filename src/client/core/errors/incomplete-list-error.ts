import { CarillonError, hide } from './base.ts';

/** What is known of a list that is not complete. */
export interface IncompleteListDetails {
  /** The items received. */
  items: unknown[];
  /** The offset of the first item that is missing from `items`. */
  nextOffset: number;
}

/**
 * `toArray` could not return the whole list. It has the items received, and where to resume. Either
 *
 * - a page after the first failed: the failure is the `cause`;
 * - the list was aborted after items were received: the `cause` is `signal.reason`;
 * - the caller asked for completeness (`complete: true`), and the list ended below its total, gave an item twice, has more than
 *   `max` items, or states no total and is one page unless it is given a `limit`. There is no `cause`.
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
   * Where to resume: give it as `offset` to a list with the same parameters. It follows the items received. If the list repeats
   * items, begin again instead.
   */
  declare readonly nextOffset: number;
  /** The items received, in order. Not enumerable: they can contain personal data. */
  declare readonly items: unknown[];

  /**
   * @param message - what is missing
   * @param details - the operation, the items received, and where to resume
   * @param options - `cause`: the failure of the next page, or the reason of the abort
   */
  constructor(message: string, { items, ...shown }: IncompleteListDetails, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, shown);
    hide(this, 'items', items);
  }
}
