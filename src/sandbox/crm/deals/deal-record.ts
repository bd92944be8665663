import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../rules/context.ts';
import type { CrmState } from '../resources.ts';
import type { StoredDeal } from './deals.ts';

/** Returns the deal with the ID from the path. */
export function findDeal(context: Context, dealId: number): Readonly<StoredDeal> {
  return context.find(context.state.crm.deals, dealId, 'deal');
}

/** Returns the definition of an attribute if the deal's pipeline defines the attribute. */
export function definitionFor(
  context: Context,
  deal: Readonly<StoredDeal>,
  attributeId: number,
): Models.DealAttribute | undefined {
  return context.state.crm.dealAttributes.find(deal.record.pipelineId, attributeId)?.record;
}

/** Returns a deal as it appears in responses. */
export function dealResponse(context: Context, deal: Readonly<StoredDeal>): Models.Deal {
  const attributes: Models.AttributeValueInput[] = [];
  for (const { attributeId, value } of deal.values) {
    if (definitionFor(context, deal, attributeId)) attributes.push({ attributeId, value });
  }
  if (attributes.length > 0) context.chose('deal-values-as-pairs');
  if (attributes.length < deal.values.length) context.chose('values-follow-pipeline');
  return { ...deal.record, contact: [...deal.contacts], attributes };
}

/** Links a deal to a contact. */
export function linkContact({ deals }: CrmState, deal: Readonly<StoredDeal>, contactId: number): void {
  if (!deal.contacts.includes(contactId)) deals.put({ ...deal, contacts: [...deal.contacts, contactId] });
}

/** Removes the link between a deal and a contact. */
export function unlinkContact({ deals }: CrmState, deal: Readonly<StoredDeal>, contactId: number): void {
  deals.put({ ...deal, contacts: deal.contacts.filter((id) => id !== contactId) });
}

/** Rejects a request whose body refers to a nonexistent pipeline, or to a step outside the pipeline. */
export function checkPlace(context: Context, { pipelineId, stepId }: { pipelineId: number; stepId: number }): void {
  const { pipelines, steps } = context.state.crm;
  if (!pipelines.has(pipelineId)) context.unknownReference(`pipeline ${pipelineId}`);
  if (!steps.find(pipelineId, stepId)) context.unknownReference(`step ${stepId} in pipeline ${pipelineId}`);
}

/** Records a choice if a deal with attribute values moves to another pipeline. */
export function markMove(context: Context, { record, values }: Readonly<StoredDeal>, pipelineId: number): void {
  if (pipelineId !== record.pipelineId && values.length > 0) context.chose('values-follow-pipeline');
}
