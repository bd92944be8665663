import type * as Models from '../../../../generated/crm/models.ts';
import { zContactComment } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import type { Handlers } from '../../handler-types.ts';
import { newId } from '../common.ts';
import { changeContact, findContact } from './contact-record.ts';
import type { StoredContact } from './contacts.ts';

type Names = 'createContactComment' | 'updateContactComment' | 'deleteContactComment';

export const contactNoteHandlers: Pick<Handlers['crm'], Names> = {
  createContactComment: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      const contact = findContact(context, path.contactId);
      const note: Models.ContactComment = {
        ...context.fields(zContactComment),
        id: newId(context.state.crm),
      };
      changeContact(context, contact, { notes: [...(contact.notes ?? []), note] });
      return { data: note };
    },
  },

  updateContactComment: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      const contact = findContact(context, path.contactId);
      const before = findNote(context, contact, path.commentId);
      const note = { ...before, ...context.fields(zContactComment) };
      changeContact(context, contact, { notes: contact.notes?.map((one) => (one === before ? note : one)) });
      return { data: note };
    },
  },

  deleteContactComment({ path }, context) {
    const contact = findContact(context, path.contactId);
    const note = findNote(context, contact, path.commentId);
    changeContact(context, contact, { notes: contact.notes?.filter((one) => one !== note) });
  },
};

function findNote(context: Context, { notes }: Readonly<StoredContact>, commentId: number): Models.ContactComment {
  return notes?.find(({ id }) => id === commentId) ?? context.notFound('note on this contact');
}
