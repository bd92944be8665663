import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { newId } from '../state.ts';
import { findDeal } from './deal-record.ts';
import type { StoredDeal } from './state.ts';

type Names = 'listDealComments' | 'createDealComment' | 'updateDealComment' | 'deleteDealComment';

export const dealNoteHandlers: Pick<CrmHandlers, Names> = {
  listDealComments: {
    list: { order: 'listed-by-age', entry: ['facts-without-field-names'] },
    handle({ path }, context) {
      const { notes } = findDeal(context, path.dealId);
      return { data: context.list(notes.values()) };
    },
  },

  createDealComment: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const { notes } = findDeal(context, path.dealId);
      const note: Models.DealComment = { id: newId(context.state.crm), message: body.message };
      notes.set(note.id, note);
      return { data: note };
    },
  },

  updateDealComment: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const note = findNote(context, findDeal(context, path.dealId), path.commentId);
      note.message = body.message;
      return { data: note };
    },
  },

  deleteDealComment({ path }, context) {
    const deal = findDeal(context, path.dealId);
    findNote(context, deal, path.commentId);
    deal.notes.delete(path.commentId);
  },
};

function findNote(context: Context, { notes }: StoredDeal, commentId: number): Models.DealComment {
  return notes.get(commentId) ?? context.notFound('note on this deal');
}
