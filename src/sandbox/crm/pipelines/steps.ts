import type * as Models from '../../../../generated/crm/models.ts';
import { zStep } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import type { CrmHandlers } from '../../handler-types.ts';
import { byOrder, given, overwritten } from '../records.ts';
import { newId } from '../state.ts';
import { findPipeline } from './handlers.ts';
import type { StoredStep } from './state.ts';

type Names = 'listPipelineSteps' | 'createPipelineStep' | 'updatePipelineStep' | 'deletePipelineStep';

export const stepHandlers: Pick<CrmHandlers, Names> = {
  listPipelineSteps: {
    list: { order: 'listed-by-order' },
    handle({ path }, context) {
      const { id } = findPipeline(context, path.pipelineId);
      return { data: context.list(byOrder(context.state.crm.steps.of(id).map(({ record }) => record))) };
    },
  },

  createPipelineStep({ path, body = {} }, context) {
    const { id: pipelineId } = findPipeline(context, path.pipelineId);
    const record: Models.Step = { ...context.own(zStep), id: newId(context.state.crm), ...given(written(body)) };
    if (context.account.tariff === 'free') {
      record.description = null;
      context.chose('step-description-dropped');
    }
    context.state.crm.steps.put({ pipelineId, record });
    return { data: record };
  },

  updatePipelineStep({ path, body = {} }, context) {
    const step = findStep(context, path);
    const isFree = context.account.tariff === 'free';
    const fields = { ...written(body), ...(isFree && { description: null }) };
    const record = overwritten(context, { ...step.record, ...context.own(zStep) }, fields);
    context.state.crm.steps.put({ ...step, record });
    return { data: record };
  },

  deletePipelineStep({ path }, context) {
    const { steps, dealsByStep } = context.state.crm;
    findStep(context, path);
    const deals = dealsByStep.keys(path.stepId);
    if (deals.size > 0) {
      const message = `This step contains ${deals.size} deals. Move them to another step first.`;
      context.refuseByChoice('step-with-deals', { message });
    }
    steps.delete(path.stepId);
  },
};

function findStep(context: Context, path: { pipelineId: number; stepId: number }): Readonly<StoredStep> {
  const { id } = findPipeline(context, path.pipelineId);
  return context.state.crm.steps.find(id, path.stepId) ?? context.notFound('step in this pipeline');
}

/** Picks the fields of a step from a request body, and drops all others. */
function written({ name, order, color, addEndHours, notifyIn, description }: Models.StepInput) {
  return { name, order, color, addEndHours, notifyIn, description };
}
