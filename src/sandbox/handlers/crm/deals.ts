import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';
import { DealStatus } from '../../../../generated/crm/models.ts';
import { linkDealContact, type StoredDeal, unlinkDealContact } from '../../state/crm.ts';
import { checkedValues } from './deal-attribute-values.ts';
import { failureOf } from './deal-failure.ts';
import { listedDeals } from './deal-list.ts';
import { placeDeal, putOnTop, stepOf } from './deal-place.ts';
import { checkResponsible, findDeal, knownContacts, knownPlace, newId } from './references.ts';
import { dealReply } from './replies.ts';

type Names = 'listDeals' | 'createDeal' | 'getDeal' | 'updateDeal' | 'deleteDeal' | 'changeDealPipeline';

export const dealHandlers: Pick<CrmHandlers, Names> = {
  listDeals({ body = {} }, context) {
    const { deals, total } = listedDeals(context, body);
    context.chose('search-request-empty');
    return { data: deals.map((deal) => dealReply(context, deal)), meta: { total, searchRequest: '' } };
  },

  createDeal({ body }, context) {
    const { pipelineId, stepId, responsibleId, name, price, currency, sourceId, attachments } = body;
    const { pipeline, step } = knownPlace(context, body);
    checkResponsible(context, responsibleId);
    const contacts = knownContacts(context, body.contact ?? []);
    const values = checkedValues(context, pipeline, body.attributes ?? []);
    const deal: StoredDeal = {
      record: {
        id: newId(context),
        pipelineId,
        stepId,
        ...(responsibleId && { responsibleId }),
        ...(name !== undefined && { name }),
        ...(price !== undefined && { price }),
        currency: currency ?? context.account.currency,
        ...(sourceId !== undefined && { sourceId }),
        ...(attachments && { attachments }),
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
    context.chose('new-deal');
    return { data: dealReply(context, deal) };
  },

  getDeal({ path }, context) {
    const deal = findDeal(context, path.dealId);
    context.chose('facts-without-field-names');
    return { data: dealReply(context, deal) };
  },

  updateDeal({ path, body }, context) {
    const deal = findDeal(context, path.dealId);
    const { responsibleId, name, price, currency, sourceId, order, status } = body;
    const { pipeline, step } = knownPlace(context, body);
    checkResponsible(context, responsibleId);
    const failure = failureOf(context, deal, pipeline, body);
    placeDeal(context, deal, step, pipeline);
    const { failReasonId: _, failReasonComment: __, order: ___, ...record } = deal.record;
    deal.record = {
      ...record,
      name,
      price,
      ...(responsibleId && { responsibleId }),
      ...(currency !== undefined && { currency }),
      ...(sourceId !== undefined && { sourceId }),
      ...(order !== undefined && { order }),
      status,
      ...failure,
    };
    deal.updatedAt = context.now;
    if (order === undefined) putOnTop(context, deal);
    context.chose('omitted-fields-kept');
    return { data: dealReply(context, deal) };
  },

  deleteDeal({ path }, context) {
    const { crm } = context.state;
    const deal = findDeal(context, path.dealId);
    stepOf(context, deal)?.deals.delete(path.dealId);
    for (const id of deal.contacts) {
      const contact = crm.contacts.get(id);
      if (contact) unlinkDealContact(deal, contact);
    }
    crm.deals.delete(path.dealId);
  },

  changeDealPipeline({ path, body = {} }, context) {
    const { pipelineId, stepId } = body;
    const deal = findDeal(context, path.dealId);
    if (!pipelineId || !stepId) {
      const message = 'Moving a deal takes a pipelineId and a stepId.';
      return context.refuseByChoice('change-pipeline-incomplete', { message });
    }
    const { pipeline, step } = knownPlace(context, { pipelineId, stepId });
    placeDeal(context, deal, step, pipeline);
    deal.updatedAt = context.now;
  },
};
