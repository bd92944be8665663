import type * as Models from '../../../../generated/crm/models.ts';
import { zFailReason } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { byOrder, overwritten } from '../records.ts';
import { newId } from '../state.ts';
import type { PipelinesState, StoredFailReason } from './state.ts';

type Names =
  | 'listPipelineFailReasons'
  | 'createPipelineFailReason'
  | 'updatePipelineFailReason'
  | 'deletePipelineFailReason';

export const failReasonHandlers: Pick<CrmHandlers, Names> = {
  listPipelineFailReasons: {
    list: { order: 'listed-by-order' },
    handle({ path }, context) {
      const { id } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
      const records = context.state.crm.failReasons.of(id).map(({ record }) => record);
      return { data: context.list(byOrder(records)) };
    },
  },

  createPipelineFailReason: {
    always: ['new-fail-reason'],
    schemaRule: 'fail-reason-invalid',
    beforeLimits: ({ path }, context) => void findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline'),
    handle({ path, body }, context) {
      const { crm } = context.state;
      const { id: pipelineId } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
      const record: Models.FailReason = {
        ...context.own(zFailReason),
        id: newId(crm),
        name: body.name,
        isEnabled: true,
      };
      crm.failReasons.put({ pipelineId, record, isDefault: false });
      return { data: record };
    },
  },

  updatePipelineFailReason: {
    schemaRule: 'fail-reason-invalid',
    beforeLimits: ({ path }, context) => void findReason(context, path),
    handle({ path, body = {} }, context) {
      const reason = findReason(context, path);
      const { name, isEnabled, order } = body;
      const record = overwritten(
        context,
        { ...reason.record, ...context.own(zFailReason) },
        { name, isEnabled, order },
      );
      context.state.crm.failReasons.put({ ...reason, record });
      return { data: record };
    },
  },

  deletePipelineFailReason: {
    always: ['fail-reason-deleted'],
    handle({ path }, context) {
      findReason(context, path);
      context.state.crm.failReasons.delete(path.reasonId);
    },
  },
};

/** Returns the enabled fail reason for a deal that fails without naming one. */
export function defaultFailReason({ failReasons }: PipelinesState, pipelineId: number): Models.FailReason | undefined {
  const enabled = failReasons.of(pipelineId).filter(({ record }) => record.isEnabled);
  const platform = enabled.filter(({ isDefault }) => isDefault);
  return byOrder((platform.length > 0 ? platform : enabled).map(({ record }) => record))[0];
}

function findPipeline(
  context: Context,
  pipelineId: number,
  rule: 'fail-reasons-unknown-pipeline' | 'fail-reason-unknown',
): Readonly<Models.Pipeline> {
  return context.state.crm.pipelines.get(pipelineId) ?? context.notFound('pipeline', rule);
}

function findReason(
  context: Context,
  { pipelineId, reasonId }: { pipelineId: number; reasonId: number },
): Readonly<StoredFailReason> {
  const { id } = findPipeline(context, pipelineId, 'fail-reason-unknown');
  return context.state.crm.failReasons.find(id, reasonId) ?? context.notFound('fail reason', 'fail-reason-unknown');
}
