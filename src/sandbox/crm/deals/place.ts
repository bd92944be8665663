import type { Context } from '../../context.ts';
import type { StoredDeal } from './state.ts';

/** Refuses a body that refers to a pipeline that does not exist, or to a step that is not in it. */
export function checkPlace(context: Context, { pipelineId, stepId }: { pipelineId: number; stepId: number }): void {
  const { pipelines, steps } = context.state.crm;
  if (!pipelines.has(pipelineId)) context.unknownReference(`pipeline ${pipelineId}`);
  if (!steps.find(pipelineId, stepId)) context.unknownReference(`step ${stepId} in pipeline ${pipelineId}`);
}

/** Marks a reply if a deal with attribute values moves to another pipeline. */
export function markMove(context: Context, { record, values }: Readonly<StoredDeal>, pipelineId: number): void {
  if (pipelineId !== record.pipelineId && values.length > 0) context.chose('values-follow-pipeline');
}
