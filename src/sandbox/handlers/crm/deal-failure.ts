import { DealStatus, type DealUpdate, type FailReason } from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { StoredDeal, StoredPipeline } from '../../state/crm.ts';
import { defaultFailReason } from './fail-reasons.ts';
import { given } from './fields.ts';
import { unknown } from './references.ts';

export interface Failure {
  failReasonId?: number;
  failReasonComment?: string;
}

/** What the documents answer with 422 comes before the limits: no deal can fail where no fail reason is enabled. */
export const dealFailureChecks = {
  updateDeal({ path, body }: { path: { dealId: number }; body: DealUpdate }, context: Context): void {
    const { deals, pipelines } = context.state.crm;
    const deal = deals.get(path.dealId);
    const pipeline = pipelines.get(body.pipelineId);
    if (deal && pipeline && body.status === DealStatus.Fail) enabledDefault(context, deal, pipeline);
  },
};

/** What an update stores about the failure of a deal: nothing unless the status that it sends is that of a failure. */
export function failureOf(context: Context, deal: StoredDeal, pipeline: StoredPipeline, update: DealUpdate): Failure {
  if (update.status !== DealStatus.Fail) {
    if (update.failReasonComment !== undefined) context.chose('fail-comment-ignored');
    if (deal.record.failReasonId !== undefined) context.chose('fail-reason-cleared');
    return {};
  }
  const byDefault = enabledDefault(context, deal, pipeline);
  const { failReasonComment = deal.record.failReasonComment } = update;
  if (failReasonComment !== update.failReasonComment) context.chose('omitted-fields-kept');
  return {
    failReasonId: reasonOf(context, pipeline, update) ?? chosenDefault(context, byDefault.id),
    ...given({ failReasonComment }),
  };
}

function enabledDefault(context: Context, deal: StoredDeal, pipeline: StoredPipeline): FailReason {
  const isMoved = pipeline.record.id !== deal.record.pipelineId;
  const byDefault = defaultFailReason(pipeline);
  if (!byDefault) {
    const message = 'A deal can fail only when a fail reason is enabled in its pipeline.';
    return context.refuse('deal-fail-needs-enabled-fail-reason', {
      message,
      ...(isMoved && { choice: 'fail-pipeline' }),
    });
  }
  if (isMoved) context.chose('fail-pipeline');
  return byDefault;
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
