import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { StoredDeal } from './state.ts';

/** Returns the deal in a path. */
export function findDeal(context: Context, dealId: number): Readonly<StoredDeal> {
  return context.state.crm.deals.get(dealId) ?? context.notFound('deal');
}

/** Returns the definition of an attribute if the deal's pipeline has it. */
export function definitionFor(
  context: Context,
  deal: Readonly<StoredDeal>,
  attributeId: number,
): Models.DealAttribute | undefined {
  return context.state.crm.dealAttributes.find(deal.record.pipelineId, attributeId)?.record;
}

/** Returns a deal in the form of replies. */
export function dealReply(context: Context, deal: Readonly<StoredDeal>): Models.Deal {
  const attributes: Models.AttributeValueInput[] = [];
  for (const { attributeId, value } of deal.values) {
    if (definitionFor(context, deal, attributeId)) attributes.push({ attributeId, value });
  }
  if (attributes.length > 0) context.chose('deal-values-as-pairs');
  if (attributes.length < deal.values.length) context.chose('values-follow-pipeline');
  return { ...deal.record, contact: [...deal.contacts], attributes };
}
