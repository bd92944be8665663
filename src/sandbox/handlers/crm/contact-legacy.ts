import {
  type AttributeOptions,
  AttributeType,
  type ContactAttribute,
  type ContactAttributeById,
  type ContactAttributeByName,
  type ContactAttributeCreate,
  type ContactLegacyCreate,
} from '../../../../generated/crm/models.ts';
import { zContactAttributeByName } from '../../../../generated/crm/validators.ts';
import { check, violationRefusal } from '../../check.ts';
import type { CheckedRequest, Context } from '../../handler.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { checkAttributeValue, markMissingMandatory } from './attribute-values.ts';
import { setAttributeValue } from './contact-attribute-values.ts';
import { defineContactAttribute } from './contact-attributes.ts';
import { checkMessengerType } from './contact-details.ts';
import { contactReply, storeContact } from './contact-records.ts';
import { written } from './contacts.ts';
import { given } from './fields.ts';
import { checkResponsible, newId, unknown } from './references.ts';
import { bearTag } from './tags.ts';

type Entry = ContactAttributeById | ContactAttributeByName;

/** A value to set once everything has been checked; its attribute exists (it has an ID) or is to be created. */
interface Assignment {
  attribute: ContactAttribute | ContactAttributeCreate;
  value: string;
}

/** The deprecated form: a contact together with all its details. */
export const contactLegacyHandlers: Pick<CrmHandlers, 'createLegacyContact'> = {
  createLegacyContact({ body }, context) {
    const { phones = [], emails = [], tags = [], attributes = [], messengers = [], attachments } = body;
    checkResponsible(context, body.responsibleId);
    for (const { typeId } of messengers) checkMessengerType(context, typeId);
    const borne = tags.map((id) => context.state.crm.tags.get(id) ?? unknown(context, `tag ${id}`));
    const assignments = plan(context, attributes);

    const contact = storeContact(context, given({ ...written(body), attachments }));
    contact.phones = phones.map((phone) => ({ id: newId(context), phone }));
    contact.emails = emails.map((email, index) => ({ id: newId(context), email, isMain: index === 0 }));
    contact.messengers = messengers.map(({ typeId, login }) => ({
      id: newId(context),
      typeId,
      login,
      isMainChatbot: false,
    }));
    for (const tag of borne) bearTag(contact, tag);
    const created = new Map<object, ContactAttribute>();
    for (const { attribute, value } of assignments) {
      const definition =
        'id' in attribute ? attribute : (created.get(attribute) ?? defineContactAttribute(context, attribute));
      created.set(attribute, definition);
      if (contact.values?.has(definition.id)) context.chose('contact-attribute-value-set-again');
      setAttributeValue(contact, definition, value);
    }
    markMissingMandatory(context, context.state.crm.contactAttributes, contact.values);
    context.chose('contact-source-type');
    if (emails.length > 0) context.chose('contact-legacy-main-email');
    if (messengers.length > 0) context.chose('contact-main-chatbot');
    if (phones.length + emails.length > 0) context.chose('contact-legacy-lengths');
    return { data: contactReply(context, contact) };
  },
};

/** Zod has no `not`, so that an entry with a name may have passed as one of the other form. */
export const contactLegacyChecks = {
  createLegacyContact({
    body: { attributes = [] },
  }: Pick<CheckedRequest<object, object, ContactLegacyCreate>, 'body'>) {
    const violations = attributes.flatMap((entry, index) => {
      if (!('name' in entry)) return [];
      const { shape, limits } = check(['body', 'attributes', String(index)], zContactAttributeByName, entry);
      return [...shape, ...limits];
    });
    if (violations.length > 0) throw violationRefusal(violations);
  },
};

/** Finds the attribute of each entry, or what is to be created, and checks its value. Changes nothing. */
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
    const message = 'An entry of attributes has an attributeId and a value, or a name and a value.';
    return context.refuseByChoice('incomplete-entry', { message });
  }
  const attribute = context.state.crm.contactAttributes.get(attributeId);
  if (attribute) return { attribute, value };
  const message = `There is no contact attribute ${attributeId}: an attributeId names one that exists. A name creates one.`;
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

/** The form has no options: the values that come with a new select attribute are its options. */
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
