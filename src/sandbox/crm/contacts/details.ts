import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { overwrite } from '../records.ts';
import { newId } from '../state.ts';
import { findContact, touch } from './contact-record.ts';
import { checkMessengerType } from './messenger-types.ts';

type Names =
  | `${'create' | 'update' | 'delete'}ContactPhone`
  | `${'update' | 'delete'}ContactEmail`
  | 'createContactEmails'
  | `${'create' | 'update' | 'delete'}ContactMessenger`;

/** Phones, emails and messengers of contacts. */
export const contactDetailHandlers: Pick<CrmHandlers, Names> = {
  createContactPhone({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    const phone: Models.ContactPhone = { id: newId(context.state.crm), phone: body.phone };
    contact.phones.push(phone);
    touch(context, contact);
    return { data: phone };
  },

  updateContactPhone({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    const phone = find(context, contact.phones, path.phoneId, 'phone of this contact');
    phone.phone = body.phone;
    touch(context, contact);
    return { data: phone };
  },

  deleteContactPhone({ path }, context) {
    const contact = findContact(context, path.contactId);
    remove(context, contact.phones, path.phoneId, 'phone of this contact');
    touch(context, contact);
  },

  createContactEmails: {
    always: ['contact-emails-added'],
    handle({ path, body = {} }, context) {
      const contact = findContact(context, path.contactId);
      const entries = (body.emails ?? []).map((entry) => complete(context, entry));
      const added = entries.map((entry) => ({ id: newId(context.state.crm), ...entry }));
      contact.emails.push(...added);
      const main = added.findLast(({ isMain }) => isMain);
      const isDisplaced = keepOneMain(contact.emails, 'isMain', main);
      if (isDisplaced || body.emails?.some(({ isMain }) => isMain === undefined)) context.chose('contact-main-email');
      if (added.length > 0) touch(context, contact);
      return { data: added };
    },
  },

  updateContactEmail({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    const email = find(context, contact.emails, path.emailId, 'email of this contact');
    email.email = body.email;
    touch(context, contact);
    return { data: email };
  },

  deleteContactEmail({ path }, context) {
    const contact = findContact(context, path.contactId);
    remove(context, contact.emails, path.emailId, 'email of this contact');
    touch(context, contact);
  },

  createContactMessenger({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    checkMessengerType(context, body.typeId);
    const { typeId, login, isMainChatbot = false } = body;
    const messenger: Models.ContactMessenger = { id: newId(context.state.crm), typeId, login, isMainChatbot };
    contact.messengers.push(messenger);
    const isDisplaced = keepOneMain(contact.messengers, 'isMainChatbot', isMainChatbot ? messenger : undefined);
    if (isDisplaced || body.isMainChatbot === undefined) context.chose('contact-main-chatbot');
    touch(context, contact);
    return { data: messenger };
  },

  updateContactMessenger({ path, body }, context) {
    const contact = findContact(context, path.contactId);
    const messenger = find(context, contact.messengers, path.messengerId, 'messenger of this contact');
    checkMessengerType(context, body.typeId);
    const { typeId, login, isMainChatbot } = body;
    overwrite(context, messenger, { typeId, login, isMainChatbot });
    const isDisplaced = keepOneMain(contact.messengers, 'isMainChatbot', isMainChatbot ? messenger : undefined);
    if (isDisplaced) context.chose('contact-main-chatbot');
    touch(context, contact);
    return { data: messenger };
  },

  deleteContactMessenger({ path }, context) {
    const contact = findContact(context, path.contactId);
    remove(context, contact.messengers, path.messengerId, 'messenger of this contact');
    touch(context, contact);
  },
};

function complete(
  context: Context,
  { email, isMain = false }: Models.ContactEmailInput,
): { email: string; isMain: boolean } {
  if (email === undefined) context.refuseByChoice('incomplete-entry', { message: 'An email to add needs an address.' });
  return { email, isMain };
}

/** Makes a new main entry replace the earlier one. Returns whether there was one. */
function keepOneMain<Flag extends string, Detail extends { [Name in Flag]?: boolean }>(
  details: Detail[],
  flag: Flag,
  main: Detail | undefined,
): boolean {
  const displaced = main ? details.filter((detail) => detail[flag] && detail !== main) : [];
  for (const detail of displaced) Object.assign(detail, { [flag]: false });
  return displaced.length > 0;
}

function find<Detail extends { id: number }>(context: Context, details: Detail[], id: number, what: string): Detail {
  return details.find((detail) => detail.id === id) ?? context.notFound(what);
}

function remove(context: Context, details: { id: number }[], id: number, what: string): void {
  details.splice(details.indexOf(find(context, details, id, what)), 1);
}
