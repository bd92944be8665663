import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import {
  attributeValueResponse,
  attributeValueResponses,
  checkAttributeValue,
  markMissingMandatory,
} from '../attribute-types.ts';
import { type StoredValues, storedValue, withoutValue, withValue } from '../values.ts';
import { definitionFor, findDeal } from './deal-record.ts';
import type { StoredDeal } from './deals.ts';

/** @internal */
export const dealAttributeValueHandlers = {
  listDealAttributeValues: {
    list: { order: 'listed-by-order', entry: ['facts-without-field-names'] },
    handle({ path }, context) {
      const deal = findDeal(context, path.dealId);
      const data = attributeValueResponses(context, deal.values, (id) => definitionFor(context, deal, id));
      if (data.length < deal.values.length) context.chose('values-follow-pipeline');
      return { data };
    },
  },

  createDealAttributeValue: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const { attributeId, value } = body;
      const deal = findDeal(context, path.dealId);
      const definition =
        definitionFor(context, deal, attributeId) ??
        context.unknownReference(`attribute ${attributeId} for deals in pipeline ${deal.record.pipelineId}`);
      checkAttributeValue(context, definition, value);
      if (storedValue(deal.values, attributeId) !== undefined) context.chose('value-replaced');
      return store(context, deal, definition, value);
    },
  },

  updateDealAttributeValue: {
    always: ['facts-without-field-names'],
    handle({ path, body }, context) {
      const deal = findDeal(context, path.dealId);
      const definition = findValue(context, deal, path.attributeId);
      checkAttributeValue(context, definition, body.value);
      return store(context, deal, definition, body.value);
    },
  },

  deleteDealAttributeValue({ path }, context) {
    const deal = findDeal(context, path.dealId);
    const definition = findValue(context, deal, path.attributeId);
    markMissingMandatory(context, definition);
    context.state.crm.deals.put({ ...deal, values: withoutValue(deal.values, path.attributeId) });
  },
} satisfies Partial<Handlers['crm']>;

/** Checks and returns the attribute values of a new deal. For each attribute, the last value is used. */
export function checkedValues(
  context: Context,
  pipelineId: number,
  entries: readonly Models.AttributeValueInput[],
): StoredValues {
  let values: StoredValues = [];
  for (const { attributeId, value } of entries) {
    if (attributeId === undefined || value === undefined)
      return context.rejectByChoice('incomplete-entry', 'Each item in attributes needs an attributeId and a value.');
    const definition =
      context.state.crm.dealAttributes.find(pipelineId, attributeId)?.record ??
      context.unknownReference(`attribute ${attributeId} for deals in pipeline ${pipelineId}`);
    checkAttributeValue(context, definition, value);
    if (storedValue(values, attributeId) !== undefined) context.chose('value-replaced');
    values = withValue(values, attributeId, value);
  }
  return values;
}

/** Returns the definition of an attribute if the deal has a value for the attribute. */
function findValue(context: Context, deal: Readonly<StoredDeal>, attributeId: number): Models.DealAttribute {
  const isSet = storedValue(deal.values, attributeId) !== undefined;
  const definition = isSet ? definitionFor(context, deal, attributeId) : undefined;
  return definition ?? context.notFound('attribute value for this deal');
}

function store(
  context: Context,
  deal: Readonly<StoredDeal>,
  definition: Models.DealAttribute,
  value: string,
): { data: Models.DealAttributeValue } {
  context.state.crm.deals.put({ ...deal, values: withValue(deal.values, definition.id, value) });
  return { data: attributeValueResponse(definition, value) };
}
