import type * as Models from '../../../../generated/crm/models.ts';
import { zDealComment } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import type { Handlers } from '../../handler-types.ts';
import { newId } from '../common.ts';
import { findDeal } from './deal-record.ts';
import type { StoredDeal } from './deals.ts';

type Names = 'listDealComments' | 'createDealComment' | 'updateDealComment' | 'deleteDealComment';

export const dealNoteHandlers: Pick<Handlers['crm'], Names> = {
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
      const before = findNote(context, deal, path.commentId);
      const note = { ...before, ...context.fields(zDealComment) };
      context.state.crm.deals.put({ ...deal, notes: deal.notes.map((one) => (one === before ? note : one)) });
      return { data: note };
    },
  },

  deleteDealComment({ path }, context) {
    const deal = findDeal(context, path.dealId);
    const note = findNote(context, deal, path.commentId);
    context.state.crm.deals.put({ ...deal, notes: deal.notes.filter((one) => one !== note) });
  },
};

function findNote(context: Context, { notes }: Readonly<StoredDeal>, commentId: number): Models.DealComment {
  return notes.find(({ id }) => id === commentId) ?? context.notFound('note on this deal');
}
