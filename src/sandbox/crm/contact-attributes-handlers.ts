import { AttributeType, type ContactAttribute, type ContactAttributeCreate } from '../../../generated/crm/models.ts';
import { zContactAttribute } from '../../../generated/crm/zod.ts';
import type { Context } from '../rules/context.ts';
import type { Handlers } from '../rules/handler-types.ts';
import { markReshaped, newDefinition } from './attribute-types.ts';
import { byOrder } from './records.ts';
import { storedValue, withoutValue } from './values.ts';

/** @internal */
export const contactAttributeHandlers = {
  listContactAttributes: {
    list: { order: 'listed-by-order' },
    handle: (_request, context) => ({ data: context.list(byOrder(context.state.crm.contactAttributes.values())) }),
  },

  createContactAttribute: {
    always: ['new-attribute'],
    handle({ body }, context) {
      if (body.type === undefined) context.chose('contact-attribute-type');
      return { data: defineContactAttribute(context, body, context.fields(zContactAttribute)) };
    },
  },

  updateContactAttribute({ path, body }, context) {
    const definition = findDefinition(context, path.attributeId);
    markReshaped(context, definition, body);
    return { data: context.state.crm.contactAttributes.put(context.overwrite(definition, zContactAttribute)) };
  },

  deleteContactAttribute({ path }, context) {
    const { contactAttributes, contacts } = context.state.crm;
    findDefinition(context, path.attributeId);
    contactAttributes.delete(path.attributeId);
    // Unlike other writes, deleting an attribute takes time proportional to the number of contacts. An index by
    // attribute would avoid this, but would need memory for every contact.
    for (const contact of contacts.values()) {
      if (storedValue(contact.values, path.attributeId) === undefined) continue;
      contacts.put({ ...contact, values: withoutValue(contact.values, path.attributeId) });
      context.chose('contact-attribute-deleted');
    }
  },
} satisfies Partial<Handlers['crm']>;

/** Stores a new definition. */
export function defineContactAttribute(
  context: Context,
  body: ContactAttributeCreate,
  own: object = {},
): ContactAttribute {
  const definition = newDefinition(context, { ...body, type: body.type ?? AttributeType.Text });
  return context.state.crm.contactAttributes.put({ ...own, ...definition });
}

function findDefinition(context: Context, attributeId: number): Readonly<ContactAttribute> {
  return context.find(context.state.crm.contactAttributes, attributeId, 'contact attribute');
}
