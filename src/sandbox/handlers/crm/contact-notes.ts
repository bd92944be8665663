import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import type { StoredContact } from '../../state/crm.ts';
import { touch } from './contact-records.ts';
import { findContact, newId } from './references.ts';

type Names = 'createContactComment' | 'updateContactComment' | 'deleteContactComment';

export const contactNoteHandlers: Pick<CrmHandlers, Names> = {
  createContactComment({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    const note: Models.ContactComment = { id: newId(context), message: body.message };
    contact.notes ??= new Map();
    contact.notes.set(note.id, note);
    touch(context, contact);
    context.chose('facts-without-field-names');
    return { data: note };
  },

  updateContactComment({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    const note = findNote(context, contact, path.commentId);
    note.message = body.message;
    touch(context, contact);
    context.chose('facts-without-field-names');
    return { data: note };
  },

  deleteContactComment({ path }, context) {
    const contact = findContact(context, path.contactId);
    findNote(context, contact, path.commentId);
    contact.notes?.delete(path.commentId);
    touch(context, contact);
  },
};

function findNote(context: Context, { notes }: StoredContact, commentId: number): Models.ContactComment {
  return notes?.get(commentId) ?? context.notFound('note on this contact');
}
