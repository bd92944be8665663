import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';
import {
  AttributeStatus,
  AttributeType,
  type ContactAttribute,
  type ContactAttributeCreate,
} from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import { newId } from './references.ts';
import { byOrder } from './replies.ts';

type Names = `${'create' | 'update' | 'delete'}ContactAttribute` | 'listContactAttributes';

/** Definitions of contact attributes. */
export const contactAttributeHandlers: Pick<CrmHandlers, Names> = {
  listContactAttributes(_request, context) {
    context.chose('listed-by-order');
    return { data: byOrder(context.state.crm.contactAttributes.values()) };
  },

  createContactAttribute({ body }, context) {
    if (body.type === undefined) context.chose('contact-attribute-type');
    return { data: defineContactAttribute(context, body) };
  },

  updateContactAttribute({ path, body }, context) {
    const definition = findDefinition(context, path.attributeId);
    const { name, order, status, type, mandatory, contactCardShow, options } = body;
    const isReshaped = (type !== undefined && type !== definition.type) || options !== undefined;
    Object.assign(
      definition,
      { name, order },
      status !== undefined && { status },
      type !== undefined && { type },
      mandatory !== undefined && { mandatory },
      contactCardShow !== undefined && { contactCardShow },
      options && { options },
    );
    context.chose('omitted-fields-kept');
    if (isReshaped) context.chose('attribute-change-keeps-values');
    markWithoutEffect(context, definition);
    return { data: definition };
  },

  deleteContactAttribute({ path }, context) {
    const { contactAttributes, contacts } = context.state.crm;
    findDefinition(context, path.attributeId);
    contactAttributes.delete(path.attributeId);
    for (const contact of contacts.values()) contact.values?.delete(path.attributeId);
    context.chose('contact-attribute-deleted');
  },
};

/** Stores a new definition. */
export function defineContactAttribute(
  context: Context,
  { name, type = AttributeType.Text, mandatory = false, options }: ContactAttributeCreate,
): ContactAttribute {
  const definition: ContactAttribute = {
    id: newId(context),
    name,
    type,
    mandatory,
    ...(options && { options }),
    status: AttributeStatus.Active,
  };
  context.state.crm.contactAttributes.set(definition.id, definition);
  context.chose('new-attribute');
  markWithoutEffect(context, definition);
  return definition;
}

function findDefinition(context: Context, attributeId: number): ContactAttribute {
  return context.state.crm.contactAttributes.get(attributeId) ?? context.notFound('contact attribute');
}

function markWithoutEffect(context: Context, { mandatory, status }: ContactAttribute): void {
  if (mandatory || status !== AttributeStatus.Active) context.chose('contact-attribute-mandatory');
}
