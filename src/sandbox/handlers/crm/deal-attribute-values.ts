import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';
import type * as Models from '../../../../generated/crm/models.ts';
import { AttributeType } from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { StoredDeal, StoredPipeline } from '../../state/crm.ts';
import { attributeValueProblem } from './attribute-values.ts';
import { findDeal, unknown } from './references.ts';
import { attributeValueReply, byOrder, definitionFor } from './replies.ts';

type Names =
  | 'listDealAttributeValues'
  | 'createDealAttributeValue'
  | 'updateDealAttributeValue'
  | 'deleteDealAttributeValue';

export const dealAttributeValueHandlers: Pick<CrmHandlers, Names> = {
  listDealAttributeValues({ path }, context) {
    const deal = findDeal(context, path.dealId);
    const shown = [...deal.values.keys()].flatMap((id) => definitionFor(context, deal, id) ?? []);
    return { data: byOrder(shown).map((one) => attributeValueReply(context, one, deal.values.get(one.id) ?? '')) };
  },

  createDealAttributeValue({ path, body }, context) {
    const { attributeId, value } = body;
    const deal = findDeal(context, path.dealId);
    const definition =
      definitionFor(context, deal, attributeId) ??
      unknown(context, `attribute ${attributeId} for deals of pipeline ${deal.record.pipelineId}`);
    checkValue(context, definition, value);
    if (deal.values.has(attributeId)) context.chose('value-replaced');
    return store(context, deal, definition, value);
  },

  updateDealAttributeValue({ path, body }, context) {
    const deal = findDeal(context, path.dealId);
    const definition = findValue(context, deal, path.attributeId);
    checkValue(context, definition, body.value);
    return store(context, deal, definition, body.value);
  },

  deleteDealAttributeValue({ path }, context) {
    const deal = findDeal(context, path.dealId);
    findValue(context, deal, path.attributeId);
    deal.values.delete(path.attributeId);
    deal.updatedAt = context.now;
  },
};

/** The attribute values of a deal to create; a later one for the same attribute counts. */
export function checkedValues(
  context: Context,
  { attributes, record: { id: pipelineId } }: StoredPipeline,
  entries: readonly Models.AttributeValueInput[],
): Map<number, string> {
  const values = new Map<number, string>();
  for (const { attributeId, value } of entries) {
    if (attributeId === undefined || value === undefined) {
      const message = 'An entry of attributes has an attributeId and a value.';
      return context.refuseByChoice('incomplete-entry', { message });
    }
    const definition =
      attributes.get(attributeId) ?? unknown(context, `attribute ${attributeId} for deals of pipeline ${pipelineId}`);
    checkValue(context, definition, value);
    values.set(attributeId, value);
  }
  return values;
}

function checkValue(context: Context, definition: Models.DealAttribute, value: string): void {
  const message = attributeValueProblem(definition, value);
  const choice = definition.type === AttributeType.Number ? 'numeric-text' : undefined;
  if (message !== undefined) context.refuse('attribute-value-format', { message, ...(choice && { choice }) });
  if (choice) context.chose(choice);
}

/** The definition of an attribute that the deal has a value for. */
function findValue(context: Context, deal: StoredDeal, attributeId: number): Models.DealAttribute {
  const definition = deal.values.has(attributeId) ? definitionFor(context, deal, attributeId) : undefined;
  return definition ?? context.notFound('attribute value of this deal');
}

function store(
  context: Context,
  deal: StoredDeal,
  definition: Models.DealAttribute,
  value: string,
): { data: Models.DealAttributeValue } {
  deal.values.set(definition.id, value);
  deal.updatedAt = context.now;
  return { data: attributeValueReply(context, definition, value) };
}
