import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { StoredDeal } from './state.ts';

/** Returns the deal in a path. */
export function findDeal(context: Context, dealId: number): StoredDeal {
  return context.state.crm.deals.get(dealId) ?? context.notFound('deal');
}

/** Returns the definition of an attribute if the deal's pipeline has it. */
export function definitionFor(
  context: Context,
  deal: StoredDeal,
  attributeId: number,
): Models.DealAttribute | undefined {
  return context.state.crm.pipelines.get(deal.record.pipelineId)?.attributes.get(attributeId);
}

/** Returns a deal in the form of replies. */
export function dealReply(context: Context, deal: StoredDeal): Models.Deal {
  const attributes: Models.AttributeValueInput[] = [];
  for (const [attributeId, value] of deal.values) {
    if (definitionFor(context, deal, attributeId)) attributes.push({ attributeId, value });
  }
  if (attributes.length > 0) context.chose('deal-values-as-pairs');
  if (attributes.length < deal.values.size) context.chose('values-follow-pipeline');
  return { ...deal.record, contact: [...deal.contacts], attributes };
}
