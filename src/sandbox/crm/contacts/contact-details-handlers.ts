import type * as Models from '../../../../generated/crm/models.ts';
import {
  zContactComment,
  zContactEmail,
  zContactEmailInput,
  zContactMessenger,
  zContactPhone,
} from '../../../../generated/crm/zod.ts';
import { newId } from '../../data/settings.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { declaredFields } from '../../rules/unhandled-fields.ts';
import { checkMessengerType } from '../messenger-types-handlers.ts';
import { replaced } from '../records.ts';
import { changeContact, findContact } from './contact-record.ts';
import type { StoredContact } from './contacts.ts';

/**
 * Phones, emails, messengers and notes of contacts.
 *
 * @internal
 */
export const contactDetailHandlers = {
  createContactPhone({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    const phone: Models.ContactPhone = {
      phone: body.phone,
      ...context.fields(zContactPhone),
      id: newId(context.state.crm),
    };
    changeContact(context, contact, { phones: [...contact.phones, phone] });
    return { data: phone };
  },

  updateContactPhone({ path }, context) {
    const contact = findContact(context, path.contactId);
    const before = context.find(contact.phones, path.phoneId, 'phone for this contact');
    const phone = { ...before, ...context.fields(zContactPhone) };
    changeContact(context, contact, { phones: replaced(contact.phones, before, phone) });
    return { data: phone };
  },

  deleteContactPhone({ path }, context) {
    const contact = findContact(context, path.contactId);
    const phone = context.find(contact.phones, path.phoneId, 'phone for this contact');
    changeContact(context, contact, { phones: contact.phones.filter((one) => one !== phone) });
  },

  createContactEmails: {
    always: ['contact-emails-added'],
    handle({ path, body = {} }, context) {
      const contact = findContact(context, path.contactId);
      const added = (body.emails ?? []).map((entry) => newEmail(context, entry));
      const main = added.findLast(({ isMain }) => isMain);
      const all: Models.ContactEmail[] = contact.emails.concat(added);
      const emails = main ? all.map((one) => (one.isMain && one !== main ? { ...one, isMain: false } : one)) : all;
      const isDisplaced = emails.some((one, index) => one !== all[index]);
      if (isDisplaced || body.emails?.some(({ isMain }) => isMain === undefined)) context.chose('contact-main-email');
      if (added.length > 0) changeContact(context, contact, { emails });
      return { data: emails.slice(contact.emails.length) };
    },
  },

  updateContactEmail({ path }, context) {
    const contact = findContact(context, path.contactId);
    const before = context.find(contact.emails, path.emailId, 'email for this contact');
    const email = { ...before, ...context.fields(zContactEmail) };
    changeContact(context, contact, { emails: replaced(contact.emails, before, email) });
    return { data: email };
  },

  deleteContactEmail({ path }, context) {
    const contact = findContact(context, path.contactId);
    const email = context.find(contact.emails, path.emailId, 'email for this contact');
    changeContact(context, contact, { emails: contact.emails.filter((one) => one !== email) });
  },

  createContactMessenger({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    checkMessengerType(context, body.typeId);
    const { typeId, login, isMainChatbot = false } = body;
    const messenger: Models.ContactMessenger = {
      ...context.fields(zContactMessenger),
      id: newId(context.state.crm),
      typeId,
      login,
      isMainChatbot,
    };
    const isDisplaced = storeMessengers(
      context,
      contact,
      [...contact.messengers, messenger],
      isMainChatbot ? messenger : undefined,
    );
    if (isDisplaced || body.isMainChatbot === undefined) context.chose('contact-main-chatbot');
    return { data: messenger };
  },

  updateContactMessenger({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    const before = context.find(contact.messengers, path.messengerId, 'messenger for this contact');
    checkMessengerType(context, body.typeId);
    const { isMainChatbot } = body;
    const messenger = context.overwrite(before, zContactMessenger);
    const all = replaced(contact.messengers, before, messenger);
    if (storeMessengers(context, contact, all, isMainChatbot ? messenger : undefined))
      context.chose('contact-main-chatbot');
    return { data: messenger };
  },

  deleteContactMessenger({ path }, context) {
    const contact = findContact(context, path.contactId);
    const messenger = context.find(contact.messengers, path.messengerId, 'messenger for this contact');
    changeContact(context, contact, { messengers: contact.messengers.filter((one) => one !== messenger) });
  },

  createContactComment: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      const contact = findContact(context, path.contactId);
      const note: Models.ContactComment = { ...context.fields(zContactComment), id: newId(context.state.crm) };
      changeContact(context, contact, { notes: [...(contact.notes ?? []), note] });
      return { data: note };
    },
  },

  updateContactComment: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      const contact = findContact(context, path.contactId);
      const { notes = [] } = contact;
      const before = context.find(notes, path.commentId, 'note on this contact');
      const note = { ...before, ...context.fields(zContactComment) };
      changeContact(context, contact, { notes: replaced(notes, before, note) });
      return { data: note };
    },
  },

  deleteContactComment({ path }, context) {
    const contact = findContact(context, path.contactId);
    const { notes = [] } = contact;
    const note = context.find(notes, path.commentId, 'note on this contact');
    changeContact(context, contact, { notes: notes.filter((one) => one !== note) });
  },
} satisfies Partial<Handlers['crm']>;

function newEmail(context: Context, { email, isMain = false, ...rest }: Models.ContactEmailInput): Models.ContactEmail {
  if (email === undefined) context.rejectByChoice('incomplete-entry', 'Each item in `emails` must have an `email`.');
  return { ...declaredFields(rest, zContactEmailInput, zContactEmail), id: newId(context.state.crm), email, isMain };
}

/**
 * Stores the messengers of a contact. A new main chatbot replaces the previous one. Returns whether a main chatbot was
 * replaced.
 */
function storeMessengers(
  context: Context,
  contact: Readonly<StoredContact>,
  all: readonly Models.ContactMessenger[],
  main: Models.ContactMessenger | undefined,
): boolean {
  const isDisplaced = (one: Models.ContactMessenger): boolean =>
    main !== undefined && one !== main && !!one.isMainChatbot;
  const messengers = all.map((one) => (isDisplaced(one) ? { ...one, isMainChatbot: false } : one));
  changeContact(context, contact, { messengers });
  return all.some(isDisplaced);
}
