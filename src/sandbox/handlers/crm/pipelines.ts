import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import type { StoredPipeline } from '../../state/crm.ts';
import { defaultFailReason } from './facts.ts';
import { given, overwrite } from './fields.ts';
import { findPipeline, newId } from './references.ts';
import { listedByOrder } from './replies.ts';

type Names = 'listPipelines' | 'createPipeline' | 'getPipeline' | 'updatePipeline';

export const pipelineHandlers: Pick<CrmHandlers, Names> = {
  listPipelines(_request, context) {
    const records = [...context.state.crm.pipelines.values()].map((pipeline) => reply(pipeline, context));
    return { data: listedByOrder(context, records) };
  },

  createPipeline({ body: { name, settings } = {} }, context) {
    const pipeline: StoredPipeline = {
      record: { id: newId(context), ...given({ name, settings }) },
      steps: new Map(),
      attributes: new Map(),
      failReasons: new Map(),
    };
    const reason: Models.FailReason = { id: newId(context), name: defaultFailReason, isEnabled: true };
    pipeline.failReasons.set(reason.id, { record: reason, isDefault: true });
    context.state.crm.pipelines.set(pipeline.record.id, pipeline);
    context.chose('new-pipeline-fail-reasons');
    return { data: reply(pipeline, context) };
  },

  getPipeline({ path }, context) {
    return { data: reply(findPipeline(context, path.pipelineId), context) };
  },

  updatePipeline({ path, body: { name, order, settings } = {} }, context) {
    const pipeline = findPipeline(context, path.pipelineId);
    overwrite(context, pipeline.record, { name, order, settings });
    return { data: reply(pipeline, context) };
  },
};

function reply({ record }: StoredPipeline, context: Context): Models.Pipeline {
  context.chose('facts-without-field-names');
  return record;
}
