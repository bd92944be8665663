import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { newId } from '../state.ts';
import { findContact, touch } from './contact-record.ts';
import type { StoredContact } from './state.ts';

type Names = 'createContactComment' | 'updateContactComment' | 'deleteContactComment';

export const contactNoteHandlers: Pick<CrmHandlers, Names> = {
  createContactComment: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const contact = findContact(context, path.contactId);
      const note: Models.ContactComment = { id: newId(context.state.crm), message: body.message };
      contact.notes ??= new Map();
      contact.notes.set(note.id, note);
      touch(context, contact);
      return { data: note };
    },
  },

  updateContactComment: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const contact = findContact(context, path.contactId);
      const note = findNote(context, contact, path.commentId);
      note.message = body.message;
      touch(context, contact);
      return { data: note };
    },
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
