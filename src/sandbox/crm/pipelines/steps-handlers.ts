import type { Step } from '../../../../generated/crm/models.ts';
import { zStep } from '../../../../generated/crm/zod.ts';
import { newId } from '../../data/settings.ts';
import type { Context } from '../../rules/context.ts';
import type { Handlers } from '../../rules/handler-types.ts';
import { findPart, findPipeline, listParts } from './pipelines-handlers.ts';
import type { StoredStep } from './steps.ts';

/** @internal */
export const stepHandlers = {
  listPipelineSteps: {
    list: { order: 'listed-by-order' },
    handle: ({ path }, context) => ({ data: listParts(context, context.state.crm.steps, path.pipelineId) }),
  },

  createPipelineStep({ path }, context) {
    const { id: pipelineId } = findPipeline(context, path.pipelineId);
    const record: Step = { ...context.fields(zStep), id: newId(context.state.crm) };
    if (context.account.tariff === 'free') {
      record.description = null;
      context.chose('step-description-dropped');
    }
    context.state.crm.steps.put({ pipelineId, record });
    return { data: record };
  },

  updatePipelineStep({ path }, context) {
    const step = findStep(context, path);
    const isFree = context.account.tariff === 'free';
    const record = {
      ...context.overwrite(step.record, zStep, ...(isFree ? ['description'] : [])),
      ...(isFree && { description: null }),
    };
    context.state.crm.steps.put({ ...step, record });
    return { data: record };
  },

  deletePipelineStep({ path }, context) {
    const { steps, dealsByStep } = context.state.crm;
    findStep(context, path);
    const deals = dealsByStep.keys(path.stepId);
    if (deals.size > 0)
      context.rejectByChoice(
        'step-with-deals',
        `A step that contains deals cannot be deleted. Move the deals to another step first. Number of deals: ${deals.size}.`,
      );
    steps.delete(path.stepId);
  },
} satisfies Partial<Handlers['crm']>;

function findStep(
  context: Context,
  { pipelineId, stepId }: { pipelineId: number; stepId: number },
): Readonly<StoredStep> {
  return findPart(context, context.state.crm.steps, { pipelineId, partId: stepId }, 'step in this pipeline');
}
