import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import type { StoredDeal } from '../../state/crm.ts';
import { findDeal, newId } from './references.ts';
import { listedByAge } from './replies.ts';

type Names = 'listDealComments' | 'createDealComment' | 'updateDealComment' | 'deleteDealComment';

export const dealNoteHandlers: Pick<CrmHandlers, Names> = {
  listDealComments({ path }, context) {
    const { notes } = findDeal(context, path.dealId);
    if (notes.size > 0) context.chose('facts-without-field-names');
    return { data: listedByAge(context, notes.values()) };
  },

  createDealComment({ path, body }, context) {
    const { notes } = findDeal(context, path.dealId);
    const note: Models.DealComment = { id: newId(context), message: body.message };
    notes.set(note.id, note);
    context.chose('facts-without-field-names');
    return { data: note };
  },

  updateDealComment({ path, body }, context) {
    const note = findNote(context, findDeal(context, path.dealId), path.commentId);
    note.message = body.message;
    context.chose('facts-without-field-names');
    return { data: note };
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
