import * as z from 'zod';
import { type DealFilter, DealStatus, type DealUpdate } from '../../../../generated/crm/models.ts';
import { zDeal } from '../../../../generated/crm/zod.ts';
import { newId } from '../../data/settings.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { markMissingMandatory } from '../attribute-types.ts';
import { given } from '../records.ts';
import { checkResponsible } from '../team-handlers.ts';
import { checkedValues } from './deal-attribute-values-handlers.ts';
import { checkContacts } from './deal-contacts-handlers.ts';
import { checkPlace, dealResponse, findDeal, markMove } from './deal-record.ts';
import { newDeal, type StoredDeal } from './deals.ts';
import { checkCanFail, failureOf } from './failure.ts';

/** @internal */
export const dealHandlers = {
  listDeals: {
    always: ['search-request-empty'],
    list: { order: 'deal-order' },
    handle({ body = {} }, context) {
      const { deals, total } = listedDeals(context, body);
      return { data: deals.map((deal) => dealResponse(context, deal)), meta: { total, searchRequest: '' } };
    },
  },

  createDeal: {
    always: ['new-deal'],
    handle({ body }, context) {
      const { pipelineId, stepId, currency, contact = [] } = body;
      checkPlace(context, body);
      const responsibleId = responsibleOf(context, body);
      checkContacts(context, contact);
      const values = checkedValues(context, pipelineId, body.attributes ?? []);
      const { crm } = context.state;
      const record = {
        ...context.fields(zDeal, 'contact', 'attributes', 'responsibleId'),
        id: newId(crm),
        pipelineId,
        stepId,
        ...given({ responsibleId }),
        currency: currency ?? context.account.currency,
        status: DealStatus.Active,
      };
      const deal = crm.deals.put({
        ...newDeal(record, topPlace(context)),
        contacts: [...new Set(contact)],
        values,
      });
      if (deal.contacts.length < contact.length) context.chose('contact-linked-twice');
      for (const { record } of crm.dealAttributes.of(pipelineId)) markMissingMandatory(context, record, values);
      return { data: dealResponse(context, deal) };
    },
  },

  getDeal: {
    always: ['facts-without-field-names'],
    handle: ({ path }, context) => ({ data: dealResponse(context, findDeal(context, path.dealId)) }),
  },

  updateDeal: {
    beforeLimits: ({ path, body }, context) => checkCanFail(context, path.dealId, body),
    handle({ path, body }, context) {
      const deal = findDeal(context, path.dealId);
      const { pipelineId, stepId, order } = body;
      checkPlace(context, body);
      const responsibleId = responsibleOf(context, body);
      const failure = failureOf(context, deal, body);
      markMove(context, deal, pipelineId);
      if (order === undefined && deal.record.order !== undefined) context.chose('deal-order-emptied');
      const { failReasonId: _, failReasonComment: __, order: ___, ...kept } = deal.record;
      const placed = { ...kept, pipelineId, stepId, ...given({ order }), ...failure };
      if (responsibleId === undefined && kept.responsibleId !== undefined) context.chose('omitted-fields-kept');
      const treated = ['responsibleId', 'order', 'failReasonId', 'failReasonComment'];
      const updated = context.state.crm.deals.put({
        ...deal,
        record: { ...context.overwrite(placed, zDeal, ...treated), ...given({ responsibleId }) },
        place: order === undefined ? topPlace(context) : deal.place,
      });
      return { data: dealResponse(context, updated) };
    },
  },

  deleteDeal({ path }, context) {
    const { crm } = context.state;
    const deal = findDeal(context, path.dealId);
    const isPaid = crm.paymentsByDeal.keys(path.dealId).size > 0;
    if (deal.contacts.length > 0 || isPaid) context.chose('deal-deleted');
    crm.deals.delete(path.dealId);
  },

  changeDealPipeline({ path, body = {} }, context) {
    const { pipelineId, stepId } = body;
    const deal = findDeal(context, path.dealId);
    if (!pipelineId || !stepId)
      return context.rejectByChoice('change-pipeline-incomplete', 'Moving a deal requires a pipelineId and a stepId.');
    checkPlace(context, { pipelineId, stepId });
    markMove(context, deal, pipelineId);
    context.state.crm.deals.put({ ...deal, record: { ...deal.record, pipelineId, stepId } });
  },
} satisfies Partial<Handlers['crm']>;

/** Returns the ID of the responsible team member. The field is optional, so 0 counts as missing. */
function responsibleOf(context: Context, { responsibleId }: Pick<DealUpdate, 'responsibleId'>): number | undefined {
  if (!responsibleId) return undefined;
  checkResponsible(context, responsibleId);
  return responsibleId;
}

const paging = z.object({ limit: z.int().min(1).nullish(), offset: z.int().min(0).nullish() });

/** Returns the requested page of deals and the total number of deals. The filter fields are not documented. */
function listedDeals(context: Context, filter: DealFilter): { deals: Readonly<StoredDeal>[]; total: number } {
  const { limit, offset, ...ignored } = filter;
  // Some clients send 0 if they want no limit.
  const asked = paging.safeParse({ limit: limit === 0 ? undefined : limit, offset });
  if (!asked.success)
    return context.rejectByChoice(
      'deal-filter-paging',
      'limit must be a positive integer, and offset must be 0 or a positive integer.',
    );
  if (Object.keys(ignored).length > 0 || asked.data.limit == null) context.chose('deal-filter-ignored');
  const start = asked.data.offset ?? 0;
  const deals = context.list(inOrder(context));
  return { deals: deals.slice(start, start + (asked.data.limit ?? deals.length)), total: deals.length };
}

/** Returns all deals in display order. */
function inOrder({ state }: Context): Readonly<StoredDeal>[] {
  const rank = ({ record }: Readonly<StoredDeal>): number => record.order ?? Number.NEGATIVE_INFINITY;
  return [...state.crm.deals.values()].sort(
    (one, other) => rank(one) - rank(other) || other.place - one.place || one.record.id - other.record.id,
  );
}

/** Returns a `place` that puts a deal first in the list. */
function topPlace({ state }: Context): number {
  return state.crm.highestPlace.value + 1;
}
