import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import {
  attributeValueResponse,
  attributeValueResponses,
  checkAttributeValue,
  markMissingMandatory,
} from '../attribute-types.ts';
import { storedValue, withoutValue, withValue } from '../values.ts';
import { changeContact, findContact } from './contact-record.ts';
import type { StoredContact } from './contacts.ts';

/** @internal */
export const contactAttributeValueHandlers = {
  listContactAttributeValues: {
    list: { order: 'listed-by-order', entry: ['facts-without-field-names'] },
    handle({ path }, context) {
      const { values = [] } = findContact(context, path.contactId);
      return { data: attributeValueResponses(context, values, (id) => context.state.crm.contactAttributes.get(id)) };
    },
  },

  createContactAttributeValue: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const contact = findContact(context, path.contactId);
      const definition = knownAttribute(context, body.attributeId);
      checkAttributeValue(context, definition, body.value);
      if (storedValue(contact.values, definition.id) !== undefined) context.chose('contact-attribute-value-set-again');
      changeContact(context, contact, { values: withValue(contact.values, definition.id, body.value) });
      return { data: attributeValueResponse(definition, body.value) };
    },
  },

  updateContactAttributeValue: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const contact = findContact(context, path.contactId);
      const definition = findValue(context, contact, path.attributeId);
      checkAttributeValue(context, definition, body.value);
      changeContact(context, contact, { values: withValue(contact.values, definition.id, body.value) });
      return { data: attributeValueResponse(definition, body.value) };
    },
  },

  deleteContactAttributeValue({ path }, context) {
    const contact = findContact(context, path.contactId);
    const definition = findValue(context, contact, path.attributeId);
    markMissingMandatory(context, definition);
    changeContact(context, contact, { values: withoutValue(contact.values, path.attributeId) });
  },

  setContactAttributeValues({ path, body = {} }, context) {
    const contact = findContact(context, path.contactId);
    let { values } = contact;
    const data = (body.attributesValues ?? []).map(({ attributeId, value }) => {
      if (value === undefined)
        return context.rejectByChoice(
          'incomplete-entry',
          'Each item in attributesValues needs an attributeId and a value.',
        );
      const { id, ...definition } = knownAttribute(context, attributeId);
      checkAttributeValue(context, definition, value);
      values = withValue(values, id, value);
      return { attributeId: id, value };
    });
    if (values && data.length > 0) changeContact(context, contact, { values });
    if (data.length > 1) context.chose('contact-attribute-batch');
    return { data };
  },
} satisfies Partial<Handlers['crm']>;

/** Returns the attribute to which a request body refers. */
function knownAttribute(context: Context, attributeId: number | undefined): Models.ContactAttribute {
  if (attributeId === undefined)
    return context.rejectByChoice('contact-attribute-incomplete', 'attributeId is required to identify the attribute.');
  const { contactAttributes } = context.state.crm;
  return contactAttributes.get(attributeId) ?? context.unknownReference(`contact attribute ${attributeId}`);
}

/** Returns the attribute with the ID from the path, if the contact has a value for the attribute. */
function findValue(
  context: Context,
  { values }: Readonly<StoredContact>,
  attributeId: number,
): Models.ContactAttribute {
  const isSet = storedValue(values, attributeId) !== undefined;
  const definition = isSet ? context.state.crm.contactAttributes.get(attributeId) : undefined;
  return definition ?? context.notFound('attribute value for this contact');
}
