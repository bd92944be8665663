import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';
import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { StoredPipeline } from '../../state/crm.ts';
import { findPipeline, newId } from './references.ts';
import { byOrder } from './replies.ts';

type Names = 'listPipelines' | 'createPipeline' | 'getPipeline' | 'updatePipeline';

/** The one translation key that is documented. */
const defaultFailReason = 'default_fail_reason_other';

export const pipelineHandlers: Pick<CrmHandlers, Names> = {
  listPipelines(_request, context) {
    context.chose('listed-by-order');
    context.chose('facts-without-field-names');
    return { data: byOrder([...context.state.crm.pipelines.values()].map(({ record }) => record)) };
  },

  createPipeline({ body = {} }, context) {
    const pipeline: StoredPipeline = {
      record: { id: newId(context), ...written(body) },
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

  updatePipeline({ path, body = {} }, context) {
    const pipeline = findPipeline(context, path.pipelineId);
    const { order } = body;
    Object.assign(pipeline.record, written(body), order !== undefined && { order });
    context.chose('omitted-fields-kept');
    return { data: reply(pipeline, context) };
  },
};

/** What a creation and an update have in common. */
function written({ name, settings }: Models.PipelineCreate): Models.PipelineCreate {
  return { ...(name !== undefined && { name }), ...(settings && { settings }) };
}

function reply({ record }: StoredPipeline, context: Context): Models.Pipeline {
  context.chose('facts-without-field-names');
  return record;
}
