import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import type { StoredFailReason, StoredPipeline } from '../../state/crm.ts';
import { overwrite } from './fields.ts';
import { newId } from './references.ts';
import { byOrder, listedByOrder } from './replies.ts';

type Names =
  | 'listPipelineFailReasons'
  | 'createPipelineFailReason'
  | 'updatePipelineFailReason'
  | 'deletePipelineFailReason';

export const failReasonHandlers: Pick<CrmHandlers, Names> = {
  listPipelineFailReasons({ path }, context) {
    const { failReasons } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
    return {
      data: listedByOrder(
        context,
        [...failReasons.values()].map(({ record }) => record),
      ),
    };
  },

  createPipelineFailReason({ path, body }, context) {
    const { failReasons } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
    const record: Models.FailReason = { id: newId(context), name: body.name, isEnabled: true };
    failReasons.set(record.id, { record, isDefault: false });
    context.chose('new-fail-reason');
    return { data: record };
  },

  updatePipelineFailReason({ path, body = {} }, context) {
    const { record } = findReason(context, path).reason;
    const { name, isEnabled, order } = body;
    overwrite(context, record, { name, isEnabled, order });
    return { data: record };
  },

  deletePipelineFailReason({ path }, context) {
    findReason(context, path).pipeline.failReasons.delete(path.reasonId);
    context.chose('fail-reason-deleted');
  },
};

/** What the documents answer with 404 comes before the limits. */
export const failReasonChecks = {
  createPipelineFailReason({ path }: { path: { pipelineId: number } }, context: Context): void {
    findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
  },

  updatePipelineFailReason({ path }: { path: { pipelineId: number; reasonId: number } }, context: Context): void {
    findReason(context, path);
  },
};

/** The enabled fail reason that a deal gets when it fails without one. */
export function defaultFailReason({ failReasons }: StoredPipeline): Models.FailReason | undefined {
  const enabled = [...failReasons.values()].filter(({ record }) => record.isEnabled);
  const platform = enabled.filter(({ isDefault }) => isDefault);
  return byOrder((platform.length > 0 ? platform : enabled).map(({ record }) => record))[0];
}

function findPipeline(
  context: Context,
  pipelineId: number,
  rule: 'fail-reasons-unknown-pipeline' | 'fail-reason-unknown',
): StoredPipeline {
  return context.state.crm.pipelines.get(pipelineId) ?? context.notFound('pipeline', rule);
}

function findReason(
  context: Context,
  { pipelineId, reasonId }: { pipelineId: number; reasonId: number },
): { pipeline: StoredPipeline; reason: StoredFailReason } {
  const pipeline = findPipeline(context, pipelineId, 'fail-reason-unknown');
  const reason = pipeline.failReasons.get(reasonId) ?? context.notFound('fail reason', 'fail-reason-unknown');
  return { pipeline, reason };
}
