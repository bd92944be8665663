import type { CrmHandlers } from '../../../../generated/crm/handlers.ts';
import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { StoredPipeline, StoredStep } from '../../state/crm.ts';
import { findPipeline, newId } from './references.ts';
import { byOrder } from './replies.ts';

type Names = 'listPipelineSteps' | 'createPipelineStep' | 'updatePipelineStep' | 'deletePipelineStep';

export const stepHandlers: Pick<CrmHandlers, Names> = {
  listPipelineSteps({ path }, context) {
    const { steps } = findPipeline(context, path.pipelineId);
    context.chose('listed-by-order');
    return { data: byOrder([...steps.values()].map(({ record }) => record)) };
  },

  createPipelineStep({ path, body = {} }, context) {
    const pipeline = findPipeline(context, path.pipelineId);
    const record: Models.Step = { id: newId(context), ...written(body) };
    if (context.account.tariff === 'free') {
      record.description = null;
      context.chose('step-description-dropped');
    }
    pipeline.steps.set(record.id, { record, deals: new Set() });
    return { data: record };
  },

  updatePipelineStep({ path, body = {} }, context) {
    const { record } = findStep(context, findPipeline(context, path.pipelineId), path.stepId);
    Object.assign(record, written(body));
    if (context.account.tariff === 'free') record.description = null;
    context.chose('omitted-fields-kept');
    return { data: record };
  },

  deletePipelineStep({ path }, context) {
    const pipeline = findPipeline(context, path.pipelineId);
    const { deals } = findStep(context, pipeline, path.stepId);
    if (deals.size > 0) {
      const message = `${deals.size} deals stand in this step. Move them to another one first.`;
      context.refuseByChoice('step-with-deals', { message });
    }
    pipeline.steps.delete(path.stepId);
  },
};

function findStep(context: Context, { steps }: StoredPipeline, stepId: number): StoredStep {
  return steps.get(stepId) ?? context.notFound('step in this pipeline');
}

function written({
  name,
  order,
  color,
  addEndHours,
  notifyIn,
  description,
}: Models.StepInput): Omit<Models.Step, 'id'> {
  return {
    ...(name !== undefined && { name }),
    ...(order !== undefined && { order }),
    ...(color !== undefined && { color }),
    ...(addEndHours !== undefined && { addEndHours }),
    ...(notifyIn !== undefined && { notifyIn }),
    ...(description !== undefined && { description }),
  };
}
