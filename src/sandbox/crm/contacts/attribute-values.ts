import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { attributeValueReply, checkAttributeValue, markMissingMandatory } from '../attribute-types.ts';
import { byOrder } from '../records.ts';
import { findContact, touch } from './contact-record.ts';
import type { StoredContact } from './state.ts';

type Names =
  | `${'create' | 'update' | 'delete'}ContactAttributeValue`
  | 'listContactAttributeValues'
  | 'setContactAttributeValues';

export const contactAttributeValueHandlers: Pick<CrmHandlers, Names> = {
  listContactAttributeValues: {
    list: { order: 'listed-by-order', entry: ['facts-without-field-names'] },
    handle({ path }, context) {
      const { contactAttributes } = context.state.crm;
      const { values = new Map<number, string>() } = findContact(context, path.contactId);
      const shown = [...values.keys()].flatMap((id) => contactAttributes.get(id) ?? []);
      const listed = context.list(byOrder(shown));
      return { data: listed.map((one) => attributeValueReply(one, values.get(one.id) ?? '')) };
    },
  },

  createContactAttributeValue: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const contact = findContact(context, path.contactId);
      const definition = knownAttribute(context, body.attributeId);
      checkAttributeValue(context, definition, body.value);
      if (contact.values?.has(definition.id)) context.chose('contact-attribute-value-set-again');
      setAttributeValue(contact, definition, body.value);
      touch(context, contact);
      return { data: attributeValueReply(definition, body.value) };
    },
  },

  updateContactAttributeValue: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const contact = findContact(context, path.contactId);
      const definition = findValue(context, contact, path.attributeId);
      checkAttributeValue(context, definition, body.value);
      setAttributeValue(contact, definition, body.value);
      touch(context, contact);
      return { data: attributeValueReply(definition, body.value) };
    },
  },

  deleteContactAttributeValue({ path }, context) {
    const contact = findContact(context, path.contactId);
    const definition = findValue(context, contact, path.attributeId);
    markMissingMandatory(context, new Map([[path.attributeId, definition]]));
    contact.values?.delete(path.attributeId);
    touch(context, contact);
  },

  setContactAttributeValues({ path, body = {} }, context) {
    const contact = findContact(context, path.contactId);
    const pairs = (body.attributesValues ?? []).map(({ attributeId, value }) => {
      if (value === undefined) {
        const message = 'An entry of attributesValues needs an attributeId and a value.';
        return context.refuseByChoice('incomplete-entry', { message });
      }
      const definition = knownAttribute(context, attributeId);
      checkAttributeValue(context, definition, value);
      return { definition, value };
    });
    for (const { definition, value } of pairs) setAttributeValue(contact, definition, value);
    if (pairs.length > 0) touch(context, contact);
    if (pairs.length > 1) context.chose('contact-attribute-batch');
    return { data: pairs.map(({ definition, value }) => ({ attributeId: definition.id, value })) };
  },
};

/** Stores a checked value. */
export function setAttributeValue(contact: StoredContact, { id }: Models.ContactAttribute, value: string): void {
  contact.values ??= new Map();
  contact.values.set(id, value);
}

/** Returns the attribute that a body refers to. */
function knownAttribute(context: Context, attributeId: number | undefined): Models.ContactAttribute {
  if (attributeId === undefined) {
    const message = 'attributeId is required to identify the attribute.';
    return context.refuseByChoice('contact-attribute-incomplete', { message });
  }
  const { contactAttributes } = context.state.crm;
  return contactAttributes.get(attributeId) ?? context.unknownReference(`contact attribute ${attributeId}`);
}

/** Returns the attribute in a path if the contact has a value for it. */
function findValue(context: Context, { values }: StoredContact, attributeId: number): Models.ContactAttribute {
  const definition = values?.has(attributeId) ? context.state.crm.contactAttributes.get(attributeId) : undefined;
  return definition ?? context.notFound('attribute value of this contact');
}
