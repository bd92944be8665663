import * as z from 'zod';
import { type Step, StepColor, StepNotifyIn } from '../../../../generated/crm/models.ts';
import { zStep } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import { newId } from '../common.ts';
import { byOrder } from '../records.ts';
import type { CrmResource } from '../resources.ts';
import { Parts } from './parts.ts';
import { findPipeline } from './pipelines.ts';

export interface StepsTables {
  steps: Parts<StoredStep>;
}

export interface StoredStep {
  pipelineId: number;
  record: Step;
}

const zStoredStep = z.object({ pipelineId: z.int(), record: zStep });

const choices = {
  'step-with-deals': 'Deleting a step that contains deals gets status 422.',
  'step-description-dropped': 'On the free tariff, the description of a new step is null, regardless of the request.',
} as const;

type Operations = 'listPipelineSteps' | 'createPipelineStep' | 'updatePipelineStep' | 'deletePipelineStep';

/**
 * Steps of pipelines.
 *
 * @internal
 */
export const steps: CrmResource<StepsTables, typeof choices, Operations> = {
  tables: (ledger) => ({ steps: new Parts(ledger, 'crm.steps', zStoredStep) }),

  seed(state) {
    const renewals: Step[] = [
      {
        id: 11,
        name: 'New',
        order: 1,
        color: StepColor.HexBlack,
        addEndHours: 8,
        notifyIn: StepNotifyIn.Hours1,
        description: 'Fresh requests',
      },
      {
        id: 12,
        name: 'Offer sent',
        order: 2,
        color: StepColor.Black,
        addEndHours: null,
        notifyIn: StepNotifyIn.Zero,
        description: null,
      },
      {
        id: 13,
        name: 'Contract',
        order: 3,
        color: StepColor.Black,
        addEndHours: null,
        notifyIn: StepNotifyIn.Days2,
        description: null,
      },
    ];
    for (const record of renewals) state.steps.put({ pipelineId: 1, record });
    state.steps.put({ pipelineId: 2, record: { id: 21, name: 'Kick-off', order: 1, color: StepColor.Black } });
  },

  choices,

  handlers: {
    listPipelineSteps: {
      list: { order: 'listed-by-order' },
      handle({ path }, context) {
        const { id } = findPipeline(context, path.pipelineId);
        return { data: context.list(byOrder(context.state.crm.steps.of(id).map(({ record }) => record))) };
      },
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
      if (deals.size > 0) {
        const message = `This step contains ${deals.size} deals. Move them to another step first.`;
        context.refuseByChoice('step-with-deals', { message });
      }
      steps.delete(path.stepId);
    },
  },
};

function findStep(context: Context, path: { pipelineId: number; stepId: number }): Readonly<StoredStep> {
  const { id } = findPipeline(context, path.pipelineId);
  return context.state.crm.steps.find(id, path.stepId) ?? context.notFound('step in this pipeline');
}
