import { DealStatus, type DealUpdate } from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { StoredDeal, StoredPipeline } from '../../state/crm.ts';
import { defaultFailReason } from './fail-reasons.ts';
import { unknown } from './references.ts';

export interface Failure {
  failReasonId?: number;
  failReasonComment?: string;
}

/** What an update stores about the failure of a deal: nothing unless the status that it sends is that of a failure. */
export function failureOf(context: Context, deal: StoredDeal, pipeline: StoredPipeline, update: DealUpdate): Failure {
  if (update.status !== DealStatus.Fail) {
    if (update.failReasonComment !== undefined) context.chose('fail-comment-ignored');
    if (deal.record.failReasonId !== undefined) context.chose('fail-reason-cleared');
    return {};
  }
  const byDefault = defaultFailReason(pipeline);
  if (!byDefault) {
    const message = 'A deal can fail only when a fail reason is enabled in its pipeline.';
    return context.refuse('deal-fail-needs-enabled-fail-reason', { message });
  }
  if (pipeline.record.id !== deal.record.pipelineId) context.chose('fail-pipeline');
  const failReasonComment = update.failReasonComment ?? deal.record.failReasonComment;
  return {
    failReasonId: reasonOf(context, pipeline, update) ?? chosenDefault(context, byDefault.id),
    ...(failReasonComment !== undefined && { failReasonComment }),
  };
}

/** The reason that the update names; 0 stands for none. */
function reasonOf(
  context: Context,
  { failReasons, record }: StoredPipeline,
  { failReasonId }: DealUpdate,
): number | undefined {
  if (!failReasonId) return undefined;
  const reason =
    failReasons.get(failReasonId) ?? unknown(context, `fail reason ${failReasonId} in pipeline ${record.id}`);
  if (!reason.record.isEnabled) {
    const message = `The fail reason ${failReasonId} is disabled.`;
    return context.refuseByChoice('fail-reason-disabled', { message });
  }
  return failReasonId;
}

function chosenDefault(context: Context, id: number): number {
  context.chose('default-fail-reason');
  return id;
}
