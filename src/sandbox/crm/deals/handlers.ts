import { DealStatus, type DealUpdate } from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { markMissingMandatory } from '../attribute-types.ts';
import { given, overwrite } from '../records.ts';
import { newId } from '../state.ts';
import { checkResponsible } from '../team/handlers.ts';
import { checkedValues } from './attribute-values.ts';
import { knownContacts } from './contacts.ts';
import { dealReply, findDeal } from './deal-record.ts';
import { checkCanFail, failureOf } from './failure.ts';
import { listedDeals, putOnTop } from './list.ts';
import { knownPlace, placeDeal, stepOf } from './place.ts';
import { linkDealContact, type StoredDeal, unlinkDealContact } from './state.ts';

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
      const { pipelineId, stepId, name, price, currency, sourceId, attachments } = body;
      const { pipeline, step } = knownPlace(context, body);
      const responsibleId = responsibleOf(context, body);
      const contacts = knownContacts(context, body.contact ?? []);
      const values = checkedValues(context, pipeline, body.attributes ?? []);
      const deal: StoredDeal = {
        record: {
          id: newId(context.state.crm),
          pipelineId,
          stepId,
          ...given({ responsibleId, name, price, sourceId, attachments }),
          currency: currency ?? context.account.currency,
          status: DealStatus.Active,
        },
        createdAt: context.now,
        updatedAt: context.now,
        contacts: new Set(),
        values,
        notes: new Map(),
      };
      context.state.crm.deals.set(deal.record.id, deal);
      step.deals.add(deal.record.id);
      for (const contact of contacts) linkDealContact(deal, contact);
      if (deal.contacts.size < contacts.length) context.chose('contact-linked-twice');
      markMissingMandatory(context, pipeline.attributes, values);
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
      const { pipeline, step } = knownPlace(context, body);
      const responsibleId = responsibleOf(context, body);
      const failure = failureOf(context, deal, pipeline, body);
      placeDeal(context, deal, step, pipeline);
      if (order === undefined) putOnTop(context, deal);
      const { failReasonId: _, failReasonComment: __, order: ___, ...record } = deal.record;
      deal.record = { ...record, ...given({ order }), ...failure };
      overwrite(context, deal.record, { name, price, responsibleId, currency, sourceId, status });
      deal.updatedAt = context.now;
      return { data: dealReply(context, deal) };
    },
  },

  deleteDeal({ path }, context) {
    const { crm } = context.state;
    const deal = findDeal(context, path.dealId);
    const isPaid = [...crm.payments.values()].some(({ dealId }) => dealId === path.dealId);
    if (deal.contacts.size > 0 || isPaid) context.chose('deal-deleted');
    stepOf(context, deal)?.deals.delete(path.dealId);
    for (const id of [...deal.contacts]) {
      const contact = crm.contacts.get(id);
      if (contact) unlinkDealContact(deal, contact);
    }
    crm.deals.delete(path.dealId);
  },

  changeDealPipeline({ path, body = {} }, context) {
    const { pipelineId, stepId } = body;
    const deal = findDeal(context, path.dealId);
    if (!pipelineId || !stepId) {
      const message = 'Moving a deal requires a pipelineId and a stepId.';
      return context.refuseByChoice('change-pipeline-incomplete', { message });
    }
    const { pipeline, step } = knownPlace(context, { pipelineId, stepId });
    placeDeal(context, deal, step, pipeline);
    deal.updatedAt = context.now;
  },
};

/** Returns the team member in a request. The field is optional, so 0 means none. */
function responsibleOf(context: Context, { responsibleId }: Pick<DealUpdate, 'responsibleId'>): number | undefined {
  if (!responsibleId) return undefined;
  checkResponsible(context, responsibleId);
  return responsibleId;
}
