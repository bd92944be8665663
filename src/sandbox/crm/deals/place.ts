import type { Context } from '../../context.ts';
import type { StoredPipeline, StoredStep } from '../pipelines/state.ts';
import type { StoredDeal } from './state.ts';

/** Returns the pipeline and the step that a body refers to. */
export function knownPlace(
  context: Context,
  { pipelineId, stepId }: { pipelineId: number; stepId: number },
): { pipeline: StoredPipeline; step: StoredStep } {
  const pipeline = context.state.crm.pipelines.get(pipelineId) ?? context.unknownReference(`pipeline ${pipelineId}`);
  const step = pipeline.steps.get(stepId) ?? context.unknownReference(`step ${stepId} in pipeline ${pipelineId}`);
  return { pipeline, step };
}

/** Returns the step of a deal. */
export function stepOf({ state }: Context, { record }: StoredDeal): StoredStep | undefined {
  return state.crm.pipelines.get(record.pipelineId)?.steps.get(record.stepId);
}

/** Moves a deal to a step, and updates the deal lists of both steps. */
export function placeDeal(context: Context, deal: StoredDeal, step: StoredStep, pipeline: StoredPipeline): void {
  const { id, pipelineId } = deal.record;
  stepOf(context, deal)?.deals.delete(id);
  step.deals.add(id);
  deal.record.pipelineId = pipeline.record.id;
  deal.record.stepId = step.record.id;
  if (pipelineId !== pipeline.record.id && deal.values.size > 0) context.chose('values-follow-pipeline');
}
