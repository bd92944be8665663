import {
  type AttributeOptions,
  AttributeType,
  type ContactAttribute,
  type ContactAttributeById,
  type ContactAttributeByName,
} from '../../../../generated/crm/models.ts';
import { zContact, zContactLegacyMessenger, zContactMessenger } from '../../../../generated/crm/zod.ts';
import { newId } from '../../data/settings.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { jsonIn } from '../../rules/json.ts';
import { declaredFields } from '../../rules/unhandled-fields.ts';
import { checkAttributeValue, markMissingMandatory } from '../attribute-types.ts';
import { defineContactAttribute } from '../contact-attributes-handlers.ts';
import { checkMessengerType } from '../messenger-types-handlers.ts';
import { checkResponsible } from '../team-handlers.ts';
import { type StoredValues, storedValue, withValue } from '../values.ts';
import { contactResponse, separate, storeContact } from './contact-record.ts';

type Entry = ContactAttributeById | ContactAttributeByName;

/**
 * Handler of the deprecated operation that creates a contact together with all its details.
 *
 * @internal
 */
export const contactLegacyHandlers = {
  createLegacyContact: {
    always: ['contact-source-type'],
    handle({ body }, context) {
      const { phones = [], emails = [], tags = [], attributes = [], messengers = [] } = body;
      const { crm } = context.state;
      checkResponsible(context, body.responsibleId);
      for (const { typeId } of messengers) checkMessengerType(context, typeId);
      const assigned = tags.map((id) => crm.tags.get(id) ?? context.unknownReference(`tag ${id}`));
      const values = assign(context, attributes);
      const contact = storeContact(context, context.fields(zContact, ...separate), {
        phones: phones.map((phone) => ({ id: newId(crm), phone })),
        emails: emails.map((email, index) => ({ id: newId(crm), email, isMain: index === 0 })),
        messengers: messengers.map(({ typeId, login, ...rest }) => ({
          ...declaredFields(rest, zContactLegacyMessenger, zContactMessenger),
          id: newId(crm),
          typeId,
          login,
          isMainChatbot: false,
        })),
        ...(assigned.length > 0 && { tags: [...new Set(assigned.map(({ id }) => id))] }),
        ...(values.length > 0 && { values }),
      });
      for (const one of crm.contactAttributes.values()) markMissingMandatory(context, one, values);
      if (emails.length > 0) context.chose('contact-legacy-main-email');
      if (messengers.length > 0) context.chose('contact-main-chatbot');
      if (phones.length + emails.length > 0) context.chose('contact-legacy-lengths');
      return { data: contactResponse(context, contact) };
    },
  },
} satisfies Partial<Handlers['crm']>;

/** Returns the attribute values that a request contains. Creates an attribute for each unknown name. */
function assign(context: Context, entries: readonly Entry[]): StoredValues {
  const known = attributesByName(context);
  let values: StoredValues = [];
  for (const entry of entries) {
    const attribute = 'name' in entry ? attributeByName(context, entry, known) : attributeById(context, entry);
    const { value = '' } = entry;
    checkAttributeValue(context, attribute, value);
    if (storedValue(values, attribute.id) !== undefined) context.chose('contact-attribute-value-set-again');
    values = withValue(values, attribute.id, value);
  }
  return values;
}

function attributeById(context: Context, { attributeId, value }: ContactAttributeById): ContactAttribute {
  if (attributeId === undefined || value === undefined)
    return context.rejectByChoice(
      'incomplete-entry',
      'Each item in attributes needs a value, and an attributeId or a name.',
    );
  const attribute = context.state.crm.contactAttributes.get(attributeId);
  if (attribute) return attribute;
  const message = `There is no contact attribute ${attributeId}. To create an attribute, send a name instead of an attributeId.`;
  return context.reject('contact-legacy-attribute-by-id', { message });
}

/** Returns the oldest attribute with each name. */
function attributesByName({ state }: Context): Map<string, ContactAttribute> {
  const newestFirst = [...state.crm.contactAttributes.values()].reverse();
  return new Map(newestFirst.map((attribute) => [attribute.name ?? '', attribute]));
}

/** @param known - attributes by name, to which a new attribute is added */
function attributeByName(
  context: Context,
  { name, value, type: asked }: ContactAttributeByName,
  known: Map<string, ContactAttribute>,
): ContactAttribute {
  context.chose('contact-legacy-attribute-name');
  const existing = known.get(name);
  const isOfType = existing ? asked === undefined || asked === existing.type : asked !== undefined;
  if (!isOfType) context.chose('contact-legacy-attribute-type');
  if (existing) return existing;
  context.chose('new-attribute');
  const type = asked ?? AttributeType.Text;
  const options = optionsFrom(type, value);
  if (options) context.chose('contact-legacy-attribute-options');
  const attribute = defineContactAttribute(context, { name, type, ...(options && { options }) });
  known.set(name, attribute);
  return attribute;
}

/**
 * Returns the options of a new attribute. The deprecated operation has no field for options, so the value determines them.
 */
function optionsFrom(type: AttributeType, value: string): AttributeOptions | undefined {
  if (type === AttributeType.Select) return [value];
  if (type !== AttributeType.MultiSelect) return undefined;
  const chosen = jsonIn(value);
  return Array.isArray(chosen) ? chosen.filter((one) => typeof one === 'string' || Number.isInteger(one)) : [];
}
