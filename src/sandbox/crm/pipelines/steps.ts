import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { byOrder, given, overwrite } from '../records.ts';
import { newId } from '../state.ts';
import { findPipeline } from './handlers.ts';
import type { StoredPipeline, StoredStep } from './state.ts';

type Names = 'listPipelineSteps' | 'createPipelineStep' | 'updatePipelineStep' | 'deletePipelineStep';

export const stepHandlers: Pick<CrmHandlers, Names> = {
  listPipelineSteps: {
    list: { order: 'listed-by-order' },
    handle({ path }, context) {
      const { steps } = findPipeline(context, path.pipelineId);
      return { data: context.list(byOrder([...steps.values()].map(({ record }) => record))) };
    },
  },

  createPipelineStep({ path, body = {} }, context) {
    const pipeline = findPipeline(context, path.pipelineId);
    const record: Models.Step = { id: newId(context.state.crm), ...given(written(body)) };
    if (context.account.tariff === 'free') {
      record.description = null;
      context.chose('step-description-dropped');
    }
    pipeline.steps.set(record.id, { record, deals: new Set() });
    return { data: record };
  },

  updatePipelineStep({ path, body = {} }, context) {
    const { record } = findStep(context, findPipeline(context, path.pipelineId), path.stepId);
    const fields = written(body);
    overwrite(context, record, context.account.tariff === 'free' ? { ...fields, description: null } : fields);
    return { data: record };
  },

  deletePipelineStep({ path }, context) {
    const pipeline = findPipeline(context, path.pipelineId);
    const { deals } = findStep(context, pipeline, path.stepId);
    if (deals.size > 0) {
      const message = `This step contains ${deals.size} deals. Move them to another step first.`;
      context.refuseByChoice('step-with-deals', { message });
    }
    pipeline.steps.delete(path.stepId);
  },
};

function findStep(context: Context, { steps }: StoredPipeline, stepId: number): StoredStep {
  return steps.get(stepId) ?? context.notFound('step in this pipeline');
}

/** Picks the fields of a step from a request body, and drops all others. */
function written({ name, order, color, addEndHours, notifyIn, description }: Models.StepInput) {
  return { name, order, color, addEndHours, notifyIn, description };
}
