import type { FailReason } from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { byOrder, given, overwrite } from '../records.ts';
import { newId } from '../state.ts';
import { defaultFailReasonName, type StoredPipeline } from './state.ts';

type Names = 'listPipelines' | 'createPipeline' | 'getPipeline' | 'updatePipeline';

export const pipelineHandlers: Pick<CrmHandlers, Names> = {
  listPipelines: {
    list: { order: 'listed-by-order', entry: ['facts-without-field-names'] },
    handle(_request, context) {
      const records = [...context.state.crm.pipelines.values()].map(({ record }) => record);
      return { data: context.list(byOrder(records)) };
    },
  },

  createPipeline: {
    always: ['new-pipeline-fail-reasons', 'facts-without-field-names'],
    handle({ body: { name, settings } = {} }, context) {
      const { crm } = context.state;
      const pipeline: StoredPipeline = {
        record: { id: newId(crm), ...given({ name, settings }) },
        steps: new Map(),
        attributes: new Map(),
        failReasons: new Map(),
      };
      const reason: FailReason = { id: newId(crm), name: defaultFailReasonName, isEnabled: true };
      pipeline.failReasons.set(reason.id, { record: reason, isDefault: true });
      crm.pipelines.set(pipeline.record.id, pipeline);
      return { data: pipeline.record };
    },
  },

  getPipeline: {
    always: ['facts-without-field-names'],
    handle({ path }, context) {
      return { data: findPipeline(context, path.pipelineId).record };
    },
  },

  updatePipeline: {
    always: ['facts-without-field-names'],
    handle({ path, body: { name, order, settings } = {} }, context) {
      const { record } = findPipeline(context, path.pipelineId);
      overwrite(context, record, { name, order, settings });
      return { data: record };
    },
  },
};

/** Returns the pipeline in a path. */
export function findPipeline(context: Context, pipelineId: number): StoredPipeline {
  return context.state.crm.pipelines.get(pipelineId) ?? context.notFound('pipeline');
}
