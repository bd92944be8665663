import * as z from 'zod';
import { type Step, StepColor, StepNotifyIn } from '../../../../generated/crm/models.ts';
import { zStep } from '../../../../generated/crm/zod.ts';
import type { Resource } from '../../data/resource.ts';
import { Parts } from './parts.ts';

export interface StepsTables {
  steps: Parts<StoredStep>;
}

export interface StoredStep {
  pipelineId: number;
  record: Step;
}

const zStoredStep = z.object({ pipelineId: z.int(), record: zStep });

const choices = {
  'step-with-deals': 'A request to delete a step that contains deals returns status 422.',
  'step-description-dropped': 'On the free tariff, the description of a new step is null, regardless of the request.',
} as const;

/**
 * Steps of pipelines.
 *
 * @internal
 */
export const steps: Resource<StepsTables, typeof choices> = {
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
};
