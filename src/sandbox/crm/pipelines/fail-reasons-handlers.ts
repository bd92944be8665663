import type { FailReason } from '../../../../generated/crm/models.ts';
import { zFailReason } from '../../../../generated/crm/zod.ts';
import { newId } from '../../data/settings.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import type { StoredFailReason } from './fail-reasons.ts';
import { findPart, findPipeline, listParts } from './pipelines-handlers.ts';

/** @internal */
export const failReasonHandlers = {
  listPipelineFailReasons: {
    list: { order: 'listed-by-order' },
    handle({ path }, context) {
      const { failReasons } = context.state.crm;
      return { data: listParts(context, failReasons, path.pipelineId, 'fail-reasons-unknown-pipeline') };
    },
  },

  createPipelineFailReason: {
    always: ['new-fail-reason'],
    schemaRule: 'fail-reason-invalid',
    beforeLimits: ({ path }, context) => void findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline'),
    handle({ path }, context) {
      const { crm } = context.state;
      const { id: pipelineId } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
      const record: FailReason = { ...context.fields(zFailReason), id: newId(crm), isEnabled: true };
      crm.failReasons.put({ pipelineId, record, isDefault: false });
      return { data: record };
    },
  },

  updatePipelineFailReason: {
    schemaRule: 'fail-reason-invalid',
    beforeLimits: ({ path }, context) => void findReason(context, path),
    handle({ path }, context) {
      const reason = findReason(context, path);
      const record = context.overwrite(reason.record, zFailReason);
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
} satisfies Partial<Handlers['crm']>;

function findReason(
  context: Context,
  { pipelineId, reasonId }: { pipelineId: number; reasonId: number },
): Readonly<StoredFailReason> {
  const place = { pipelineId, partId: reasonId };
  return findPart(context, context.state.crm.failReasons, place, 'fail reason', 'fail-reason-unknown');
}
