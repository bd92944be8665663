import { DealStatus, type DealUpdate } from '../../../../generated/crm/models.ts';
import { zDeal } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { markMissingMandatory } from '../attribute-types.ts';
import { given, overwritten } from '../records.ts';
import { newId } from '../state.ts';
import { checkResponsible } from '../team/handlers.ts';
import { storedValues } from '../values.ts';
import { checkedValues } from './attribute-values.ts';
import { checkContacts } from './contacts.ts';
import { dealReply, findDeal } from './deal-record.ts';
import { checkCanFail, failureOf } from './failure.ts';
import { listedDeals, topPlace } from './list.ts';
import { checkPlace, markMove } from './place.ts';
import type { StoredDeal } from './state.ts';

type Names = 'listDeals' | 'createDeal' | 'getDeal' | 'updateDeal' | 'deleteDeal' | 'changeDealPipeline';

export const dealHandlers: Pick<CrmHandlers, Names> = {
  listDeals: {
    always: ['search-request-empty'],
    list: { order: 'deal-order' },
    handle({ body = {} }, context) {
      const { deals, total } = listedDeals(context, body);
      return { data: deals.map((deal) => dealReply(context, deal)), meta: { total, searchRequest: '' } };
    },
  },

  createDeal: {
    always: ['new-deal'],
    handle({ body }, context) {
      const { pipelineId, stepId, name, price, currency, sourceId, attachments, contact = [] } = body;
      checkPlace(context, body);
      const responsibleId = responsibleOf(context, body);
      checkContacts(context, contact);
      const values = checkedValues(context, pipelineId, body.attributes ?? []);
      const { crm } = context.state;
      const deal: StoredDeal = {
        record: {
          ...context.own(zDeal),
          id: newId(crm),
          pipelineId,
          stepId,
          ...given({ responsibleId, name, price, sourceId, attachments: attachments?.slice() }),
          currency: currency ?? context.account.currency,
          status: DealStatus.Active,
        },
        createdAt: context.now,
        updatedAt: context.now,
        place: topPlace(context),
        contacts: [...new Set(contact)],
        values: storedValues(values),
        notes: [],
      };
      crm.deals.put(deal);
      if (deal.contacts.length < contact.length) context.chose('contact-linked-twice');
      for (const { record } of crm.dealAttributes.of(pipelineId)) markMissingMandatory(context, record, values);
      return { data: dealReply(context, deal) };
    },
  },

  getDeal: {
    always: ['facts-without-field-names'],
    handle: ({ path }, context) => ({ data: dealReply(context, findDeal(context, path.dealId)) }),
  },

  updateDeal: {
    beforeLimits: ({ path, body }, context) => checkCanFail(context, path.dealId, body),
    handle({ path, body }, context) {
      const deal = findDeal(context, path.dealId);
      const { name, price, currency, sourceId, order, status } = body;
      checkPlace(context, body);
      const responsibleId = responsibleOf(context, body);
      const failure = failureOf(context, deal, body);
      markMove(context, deal, body.pipelineId);
      if (order === undefined && deal.record.order !== undefined) context.chose('deal-order-emptied');
      const { failReasonId: _, failReasonComment: __, order: ___, ...kept } = deal.record;
      const { pipelineId, stepId } = body;
      const placed = { ...kept, ...context.own(zDeal), pipelineId, stepId, ...given({ order }), ...failure };
      const updated = context.state.crm.deals.put({
        ...deal,
        record: overwritten(context, placed, { name, price, responsibleId, currency, sourceId, status }),
        updatedAt: context.now,
        place: order === undefined ? topPlace(context) : deal.place,
      });
      return { data: dealReply(context, updated) };
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
    if (!pipelineId || !stepId) {
      const message = 'Moving a deal requires a pipelineId and a stepId.';
      return context.refuseByChoice('change-pipeline-incomplete', { message });
    }
    checkPlace(context, { pipelineId, stepId });
    markMove(context, deal, pipelineId);
    const record = { ...deal.record, pipelineId, stepId };
    context.state.crm.deals.put({ ...deal, record, updatedAt: context.now });
  },
};

/** Returns the team member in a request. The field is optional, so 0 means none. */
function responsibleOf(context: Context, { responsibleId }: Pick<DealUpdate, 'responsibleId'>): number | undefined {
  if (!responsibleId) return undefined;
  checkResponsible(context, responsibleId);
  return responsibleId;
}
