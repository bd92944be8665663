import {
  AttributeStatus,
  AttributeType,
  type DealAttribute,
  type FailReason,
  type Step,
  StepColor,
  StepNotifyIn,
} from '../../../../generated/crm/models.ts';
import { defaultFailReasonName, type PipelinesState } from './state.ts';

/** Adds the two pipelines of the example story (spec/README.md). */
export function seedPipelines(state: PipelinesState): void {
  addPipeline(state, 1, 'Renewals', 1, [
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
  ]);
  const active = { mandatory: false, status: AttributeStatus.Active };
  const attributes: DealAttribute[] = [
    { id: 210, name: 'Contract number', type: AttributeType.Text, order: 1, ...active },
    {
      id: 211,
      name: 'Plan',
      type: AttributeType.Select,
      options: ['Basic', 'Team', 'Enterprise'],
      order: 2,
      ...active,
    },
  ];
  for (const record of attributes) state.dealAttributes.put({ pipelineId: 1, record });
  addFailReason(state, 1, { id: 31, name: defaultFailReasonName, isEnabled: true, order: 1 }, true);
  addFailReason(state, 1, { id: 32, name: 'Chose a competitor', isEnabled: true, order: 2 }, false);
  addPipeline(state, 2, 'Onboarding', 2, [{ id: 21, name: 'Kick-off', order: 1, color: StepColor.Black }]);
  addFailReason(state, 2, { id: 33, name: defaultFailReasonName, isEnabled: true, order: 1 }, true);
}

function addPipeline(state: PipelinesState, id: number, name: string, order: number, steps: Step[]): void {
  state.pipelines.put({ id, name, order });
  for (const record of steps) state.steps.put({ pipelineId: id, record });
}

function addFailReason(
  { failReasons }: PipelinesState,
  pipelineId: number,
  record: FailReason,
  isDefault: boolean,
): void {
  failReasons.put({ pipelineId, record, isDefault });
}
