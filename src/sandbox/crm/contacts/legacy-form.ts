import {
  type AttributeOptions,
  AttributeType,
  type ContactAttribute,
  type ContactAttributeById,
  type ContactAttributeByName,
  type ContactAttributeCreate,
} from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { checkAttributeValue, markMissingMandatory } from '../attribute-types.ts';
import { given } from '../records.ts';
import { newId } from '../state.ts';
import { assignTag } from '../tags/state.ts';
import { checkResponsible } from '../team/handlers.ts';
import { setAttributeValue } from './attribute-values.ts';
import { defineContactAttribute } from './attributes.ts';
import { contactReply, storeContact } from './contact-record.ts';
import { written } from './handlers.ts';
import { checkMessengerType } from './messenger-types.ts';
import type { StoredContact } from './state.ts';

type Entry = ContactAttributeById | ContactAttributeByName;

/** A value to set after all checks. Its attribute exists if it has an ID; otherwise it must be created. */
interface Assignment {
  attribute: ContactAttribute | ContactAttributeCreate;
  value: string;
}

/** The deprecated form, which creates a contact together with all its details. */
export const contactLegacyHandlers: Pick<CrmHandlers, 'createLegacyContact'> = {
  createLegacyContact: {
    always: ['contact-source-type', 'contact-details-as-records'],
    handle({ body }, context) {
      const { phones = [], emails = [], tags = [], attributes = [], messengers = [], attachments } = body;
      const { crm } = context.state;
      checkResponsible(context, body.responsibleId);
      for (const { typeId } of messengers) checkMessengerType(context, typeId);
      const assigned = tags.map((id) => crm.tags.get(id) ?? context.unknownReference(`tag ${id}`));
      const assignments = plan(context, attributes);

      const contact = storeContact(context, given({ ...written(body), attachments }));
      contact.phones = phones.map((phone) => ({ id: newId(crm), phone }));
      contact.emails = emails.map((email, index) => ({ id: newId(crm), email, isMain: index === 0 }));
      contact.messengers = messengers.map(({ typeId, login }) => ({
        id: newId(crm),
        typeId,
        login,
        isMainChatbot: false,
      }));
      for (const tag of assigned) assignTag(contact, tag);
      setValues(context, contact, assignments);
      markMissingMandatory(context, crm.contactAttributes, contact.values);
      if (emails.length > 0) context.chose('contact-legacy-main-email');
      if (messengers.length > 0) context.chose('contact-main-chatbot');
      if (phones.length + emails.length > 0) context.chose('contact-legacy-lengths');
      return { data: contactReply(context, contact) };
    },
  },
};

/** Stores the values, and creates the attributes that do not exist yet. */
function setValues(context: Context, contact: StoredContact, assignments: readonly Assignment[]): void {
  const created = new Map<object, ContactAttribute>();
  for (const { attribute, value } of assignments) {
    const isNew = !('id' in attribute) && !created.has(attribute);
    if (isNew) context.chose('new-attribute');
    const definition =
      'id' in attribute ? attribute : (created.get(attribute) ?? defineContactAttribute(context, attribute));
    created.set(attribute, definition);
    if (contact.values?.has(definition.id)) context.chose('contact-attribute-value-set-again');
    setAttributeValue(contact, definition, value);
  }
}

/** Finds the attribute of each entry, or plans a new one, and checks the value. Changes nothing. */
function plan(context: Context, entries: readonly Entry[]): Assignment[] {
  const planned = new Map<string, ContactAttributeCreate>();
  return entries.map((entry) => {
    const { attribute, value } =
      'name' in entry ? attributeByName(context, entry, planned) : attributeById(context, entry);
    checkAttributeValue(context, attribute, value);
    return { attribute, value };
  });
}

function attributeById(context: Context, { attributeId, value }: ContactAttributeById): Assignment {
  if (attributeId === undefined || value === undefined) {
    const message = 'An entry of attributes needs an attributeId and a value, or a name and a value.';
    return context.refuseByChoice('incomplete-entry', { message });
  }
  const attribute = context.state.crm.contactAttributes.get(attributeId);
  if (attribute) return { attribute, value };
  const message = `There is no contact attribute ${attributeId}. To create an attribute, send a name instead of an attributeId.`;
  return context.refuse('contact-legacy-attribute-by-id', { message });
}

function attributeByName(
  context: Context,
  { name, value, type: asked }: ContactAttributeByName,
  planned: Map<string, ContactAttributeCreate>,
): Assignment {
  context.chose('contact-legacy-attribute-name');
  const existing =
    [...context.state.crm.contactAttributes.values()].find((attribute) => attribute.name === name) ?? planned.get(name);
  const isOfType = existing ? asked === undefined || asked === existing.type : asked !== undefined;
  if (!isOfType) context.chose('contact-legacy-attribute-type');
  if (existing) return { attribute: existing, value };
  const type = asked ?? AttributeType.Text;
  const options = optionsFrom(type, value);
  if (options) context.chose('contact-legacy-attribute-options');
  const attribute: ContactAttributeCreate = { name, type, ...(options && { options }) };
  planned.set(name, attribute);
  return { attribute, value };
}

/** Options of a new select attribute. The deprecated form has no options, so they come from the value. */
function optionsFrom(type: AttributeType, value: string): AttributeOptions | undefined {
  if (type === AttributeType.Select) return [value];
  if (type !== AttributeType.MultiSelect) return undefined;
  try {
    const chosen: unknown = JSON.parse(value);
    return Array.isArray(chosen) ? chosen.filter((one) => typeof one === 'string' || Number.isInteger(one)) : [];
  } catch {
    return [];
  }
}
