import type * as Models from '../../../../generated/crm/models.ts';
import { zDealComment } from '../../../../generated/crm/zod.ts';
import { newId } from '../../data/settings.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { replaced } from '../records.ts';
import { findDeal } from './deal-record.ts';

/** @internal */
export const dealNoteHandlers = {
  listDealComments: {
    list: { order: 'listed-by-age', entry: ['facts-without-field-names'] },
    handle({ path }, context) {
      const { notes } = findDeal(context, path.dealId);
      return { data: context.list(notes) };
    },
  },

  createDealComment: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      const deal = findDeal(context, path.dealId);
      const note: Models.DealComment = {
        ...context.fields(zDealComment),
        id: newId(context.state.crm),
      };
      context.state.crm.deals.put({ ...deal, notes: [...deal.notes, note] });
      return { data: note };
    },
  },

  updateDealComment: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      const deal = findDeal(context, path.dealId);
      const before = context.find(deal.notes, path.commentId, 'note on this deal');
      const note = { ...before, ...context.fields(zDealComment) };
      context.state.crm.deals.put({ ...deal, notes: replaced(deal.notes, before, note) });
      return { data: note };
    },
  },

  deleteDealComment({ path }, context) {
    const deal = findDeal(context, path.dealId);
    const note = context.find(deal.notes, path.commentId, 'note on this deal');
    context.state.crm.deals.put({ ...deal, notes: deal.notes.filter((one) => one !== note) });
  },
} satisfies Partial<Handlers['crm']>;
