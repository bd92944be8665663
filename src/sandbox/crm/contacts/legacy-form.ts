import {
  type AttributeOptions,
  AttributeType,
  type ContactAttribute,
  type ContactAttributeById,
  type ContactAttributeByName,
  type ContactAttributeCreate,
} from '../../../../generated/crm/models.ts';
import { zContact, zContactLegacyMessenger, zContactMessenger } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { parseJson } from '../../rules/json.ts';
import { checkAttributeValue, markMissingMandatory } from '../attribute-types.ts';
import { newId, withNewIds } from '../common.ts';
import { defineContactAttribute } from '../contact-attributes-handlers.ts';
import { checkMessengerType } from '../messenger-types-handlers.ts';
import { declared } from '../records.ts';
import { checkResponsible } from '../team-handlers.ts';
import { storedValues } from '../values.ts';
import { contactReply, separate, storeContact } from './contact-record.ts';

type Entry = ContactAttributeById | ContactAttributeByName;

/** A value to set after all checks. Its attribute exists if it has an ID; otherwise it must be created. */
interface Assignment {
  attribute: ContactAttribute | ContactAttributeCreate;
  value: string;
}

/** The deprecated form, which creates a contact together with all its details. */
export const contactLegacyHandlers = {
  createLegacyContact: {
    always: ['contact-source-type'],
    handle({ body }, context) {
      const { phones = [], emails = [], tags = [], attributes = [], messengers = [] } = body;
      const { crm } = context.state;
      checkResponsible(context, body.responsibleId);
      for (const { typeId } of messengers) checkMessengerType(context, typeId);
      const assigned = tags.map((id) => crm.tags.get(id) ?? context.unknownReference(`tag ${id}`));
      const assignments = plan(context, attributes);

      const values = valuesOf(context, assignments);
      const contact = storeContact(context, context.fields(zContact, ...separate), {
        phones: withNewIds(
          crm,
          phones.map((phone) => ({ phone })),
        ),
        emails: withNewIds(
          crm,
          emails.map((email, index) => ({ email, isMain: index === 0 })),
        ),
        messengers: messengers.map(({ typeId, login, ...rest }) => ({
          ...declared(rest, zContactLegacyMessenger, zContactMessenger),
          ...{ id: newId(crm), typeId, login, isMainChatbot: false },
        })),
        ...(assigned.length > 0 && { tags: [...new Set(assigned.map(({ id }) => id))] }),
        ...(values.size > 0 && { values: storedValues(values) }),
      });
      for (const one of crm.contactAttributes.values()) markMissingMandatory(context, one, values);
      if (emails.length > 0) context.chose('contact-legacy-main-email');
      if (messengers.length > 0) context.chose('contact-main-chatbot');
      if (phones.length + emails.length > 0) context.chose('contact-legacy-lengths');
      return { data: contactReply(context, contact) };
    },
  },
} satisfies Partial<Handlers['crm']>;

/** Returns the values by attribute ID, and creates the attributes that do not exist yet. */
function valuesOf(context: Context, assignments: readonly Assignment[]): Map<number, string> {
  const values = new Map<number, string>();
  const created = new Map<object, ContactAttribute>();
  for (const { attribute, value } of assignments) {
    const isNew = !('id' in attribute) && !created.has(attribute);
    if (isNew) context.chose('new-attribute');
    const definition =
      'id' in attribute ? attribute : (created.get(attribute) ?? defineContactAttribute(context, attribute));
    created.set(attribute, definition);
    if (values.has(definition.id)) context.chose('contact-attribute-value-set-again');
    values.set(definition.id, value);
  }
  return values;
}

/** Finds the attribute of each entry, or plans a new one, and checks the value. Does not change data. */
function plan(context: Context, entries: readonly Entry[]): Assignment[] {
  const known = attributesByName(context, entries);
  return entries.map((entry) => {
    const { attribute, value } =
      'name' in entry ? attributeByName(context, entry, known) : attributeById(context, entry);
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

/** Returns the oldest attribute of each name. Reads the attributes once for all entries. */
function attributesByName({ state }: Context, entries: readonly Entry[]): Map<string, Assignment['attribute']> {
  const known = new Map<string, Assignment['attribute']>();
  if (!entries.some((entry) => 'name' in entry)) return known;
  for (const attribute of state.crm.contactAttributes.values())
    if (attribute.name !== undefined && !known.has(attribute.name)) known.set(attribute.name, attribute);
  return known;
}

/** @param known - attributes by name; a new one is added */
function attributeByName(
  context: Context,
  { name, value, type: asked }: ContactAttributeByName,
  known: Map<string, Assignment['attribute']>,
): Assignment {
  context.chose('contact-legacy-attribute-name');
  const existing = known.get(name);
  const isOfType = existing ? asked === undefined || asked === existing.type : asked !== undefined;
  if (!isOfType) context.chose('contact-legacy-attribute-type');
  if (existing) return { attribute: existing, value };
  const type = asked ?? AttributeType.Text;
  const options = optionsFrom(type, value);
  if (options) context.chose('contact-legacy-attribute-options');
  const attribute: ContactAttributeCreate = { name, type, ...(options && { options }) };
  known.set(name, attribute);
  return { attribute, value };
}

/** Options of a new select attribute. The deprecated form has no options, so they come from the value. */
function optionsFrom(type: AttributeType, value: string): AttributeOptions | undefined {
  if (type === AttributeType.Select) return [value];
  if (type !== AttributeType.MultiSelect) return undefined;
  try {
    const chosen: unknown = parseJson(value);
    return Array.isArray(chosen) ? chosen.filter((one) => typeof one === 'string' || Number.isInteger(one)) : [];
  } catch {
    return [];
  }
}
