import * as z from 'zod';
import type { DealFilter } from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { StoredDeal } from './state.ts';

const paging = z.object({ limit: z.int().min(1).nullish(), offset: z.int().min(0).nullish() });

/** Returns the requested page of deals and their total number. The fields of the filter are not documented. */
export function listedDeals(context: Context, filter: DealFilter): { deals: Readonly<StoredDeal>[]; total: number } {
  const { limit, offset, ...ignored } = filter;
  // 0 is how some clients write 'no limit'.
  const asked = paging.safeParse({ limit: limit === 0 ? undefined : limit, offset });
  if (!asked.success) {
    const message = 'limit must be an integer above 0, and offset an integer of 0 or more.';
    return context.refuseByChoice('deal-filter-paging', { message });
  }
  if (Object.keys(ignored).length > 0 || asked.data.limit == null) context.chose('deal-filter-ignored');
  const start = asked.data.offset ?? 0;
  const deals = context.list(inOrder(context));
  return { deals: deals.slice(start, start + (asked.data.limit ?? deals.length)), total: deals.length };
}

/** Returns all deals in display order. This takes about linear time, because few deals have an explicit order. */
function inOrder({ state }: Context): Readonly<StoredDeal>[] {
  const { deals: all, dealsByPlace } = state.crm;
  const deals = dealsByPlace.page(0, all.size, true);
  const ordered = deals.filter(({ record }) => record.order !== undefined);
  if (ordered.length === 0) return deals;
  ordered.sort((one, other) => (one.record.order ?? 0) - (other.record.order ?? 0));
  return [...deals.filter(({ record }) => record.order === undefined), ...ordered];
}

/** Returns the place of a deal that becomes the first in the list. */
export function topPlace({ state }: Context): number {
  return (state.crm.dealsByPlace.last()?.place ?? 0) + 1;
}
