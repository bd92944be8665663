import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { byOrder, overwrite } from '../records.ts';
import { newId } from '../state.ts';
import type { StoredFailReason, StoredPipeline } from './state.ts';

type Names =
  | 'listPipelineFailReasons'
  | 'createPipelineFailReason'
  | 'updatePipelineFailReason'
  | 'deletePipelineFailReason';

export const failReasonHandlers: Pick<CrmHandlers, Names> = {
  listPipelineFailReasons: {
    list: { order: 'listed-by-order' },
    handle({ path }, context) {
      const { failReasons } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
      return { data: context.list(byOrder([...failReasons.values()].map(({ record }) => record))) };
    },
  },

  createPipelineFailReason: {
    always: ['new-fail-reason'],
    schemaRule: 'fail-reason-invalid',
    beforeLimits: ({ path }, context) => void findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline'),
    handle({ path, body }, context) {
      const { failReasons } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
      const record: Models.FailReason = { id: newId(context.state.crm), name: body.name, isEnabled: true };
      failReasons.set(record.id, { record, isDefault: false });
      return { data: record };
    },
  },

  updatePipelineFailReason: {
    schemaRule: 'fail-reason-invalid',
    beforeLimits: ({ path }, context) => void findReason(context, path),
    handle({ path, body = {} }, context) {
      const { record } = findReason(context, path).reason;
      const { name, isEnabled, order } = body;
      overwrite(context, record, { name, isEnabled, order });
      return { data: record };
    },
  },

  deletePipelineFailReason: {
    always: ['fail-reason-deleted'],
    handle({ path }, context) {
      findReason(context, path).pipeline.failReasons.delete(path.reasonId);
    },
  },
};

/** Returns the enabled fail reason for a deal that fails without naming one. */
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
