import { DealStatus, type DealUpdate, type FailReason } from '../../../../generated/crm/models.ts';
import type { Context } from '../../rules/context.ts';
import { defaultFailReason } from '../pipelines/fail-reasons.ts';
import { given } from '../records.ts';
import type { StoredDeal } from './deals.ts';

export interface Failure {
  failReasonId?: number;
  failReasonComment?: string;
}

/**
 * Rejects an update that marks a deal as failed if no fail reason is enabled. The documents specify status 422 for this case.
 */
export function checkCanFail(context: Context, dealId: number, update: DealUpdate): void {
  const { deals, pipelines } = context.state.crm;
  const deal = deals.get(dealId);
  const pipeline = pipelines.get(update.pipelineId);
  if (deal && pipeline && update.status === DealStatus.Fail) enabledDefault(context, deal, pipeline.id);
}

/** Returns the failure that an update stores. The failure is empty unless the update marks the deal as failed. */
export function failureOf(context: Context, deal: Readonly<StoredDeal>, update: DealUpdate): Failure {
  if (update.status !== DealStatus.Fail) {
    if (update.failReasonComment !== undefined) context.chose('fail-comment-ignored');
    if (deal.record.failReasonId !== undefined) context.chose('fail-reason-cleared');
    return {};
  }
  const byDefault = enabledDefault(context, deal, update.pipelineId);
  const { failReasonComment = deal.record.failReasonComment } = update;
  if (failReasonComment !== update.failReasonComment) context.chose('omitted-fields-kept');
  return {
    failReasonId: reasonOf(context, update) ?? chosenDefault(context, byDefault.id),
    ...given({ failReasonComment }),
  };
}

function enabledDefault(context: Context, deal: Readonly<StoredDeal>, pipelineId: number): FailReason {
  const isMoved = pipelineId !== deal.record.pipelineId;
  const byDefault = defaultFailReason(context.state.crm, pipelineId);
  if (!byDefault) {
    const message = 'A deal can be marked as failed only if its pipeline has an enabled fail reason.';
    return context.reject('deal-fail-needs-enabled-fail-reason', {
      message,
      ...(isMoved && { choice: 'fail-pipeline' }),
    });
  }
  if (isMoved) context.chose('fail-pipeline');
  return byDefault;
}

/** Returns the ID of the fail reason in an update. An ID of 0 counts as missing. */
function reasonOf(context: Context, { failReasonId, pipelineId }: DealUpdate): number | undefined {
  if (!failReasonId) return undefined;
  const reason =
    context.state.crm.failReasons.find(pipelineId, failReasonId) ??
    context.unknownReference(`fail reason ${failReasonId} in pipeline ${pipelineId}`);
  if (!reason.record.isEnabled)
    return context.rejectByChoice('fail-reason-disabled', `Fail reason ${failReasonId} is disabled.`);
  return failReasonId;
}

function chosenDefault(context: Context, id: number): number {
  context.chose('default-fail-reason');
  return id;
}
