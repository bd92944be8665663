import type { Context } from '../../handler.ts';
import type { StoredDeal, StoredPipeline, StoredStep } from '../../state/crm.ts';

/** The step that a deal stands in. */
export function stepOf({ state }: Context, { record }: StoredDeal): StoredStep | undefined {
  return state.crm.pipelines.get(record.pipelineId)?.steps.get(record.stepId);
}

/** Puts a deal into a step; every step knows its deals. */
export function placeDeal(context: Context, deal: StoredDeal, step: StoredStep, pipeline: StoredPipeline): void {
  const { id, pipelineId } = deal.record;
  stepOf(context, deal)?.deals.delete(id);
  step.deals.add(id);
  deal.record.pipelineId = pipeline.record.id;
  deal.record.stepId = step.record.id;
  if (pipelineId !== pipeline.record.id && deal.values.size > 0) context.chose('values-follow-pipeline');
}

/** Makes a deal without a display order the first of the list. */
export function putOnTop(context: Context, deal: StoredDeal): void {
  const { deals } = context.state.crm;
  if (deal.record.order !== undefined) context.chose('deal-order-emptied');
  deals.delete(deal.record.id);
  deals.set(deal.record.id, deal);
}
