import {
  AttributeStatus,
  AttributeType,
  type FailReason,
  type Step,
  StepColor,
  StepNotifyIn,
} from '../../../../generated/crm/models.ts';
import { defaultFailReasonName, type PipelinesState, type StoredPipeline } from './state.ts';

/** Adds the two pipelines of the example story (spec/README.md). */
export function seedPipelines({ pipelines }: PipelinesState): void {
  const renewals = pipeline(1, 'Renewals', 1, [
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
  renewals.attributes.set(210, { id: 210, name: 'Contract number', type: AttributeType.Text, order: 1, ...active });
  renewals.attributes.set(211, {
    id: 211,
    name: 'Plan',
    type: AttributeType.Select,
    options: ['Basic', 'Team', 'Enterprise'],
    order: 2,
    ...active,
  });
  addFailReason(renewals, { id: 31, name: defaultFailReasonName, isEnabled: true, order: 1 }, true);
  addFailReason(renewals, { id: 32, name: 'Chose a competitor', isEnabled: true, order: 2 }, false);
  const onboarding = pipeline(2, 'Onboarding', 2, [{ id: 21, name: 'Kick-off', order: 1, color: StepColor.Black }]);
  addFailReason(onboarding, { id: 33, name: defaultFailReasonName, isEnabled: true, order: 1 }, true);
  for (const one of [renewals, onboarding]) pipelines.set(one.record.id, one);
}

function pipeline(id: number, name: string, order: number, steps: Step[]): StoredPipeline {
  return {
    record: { id, name, order },
    steps: new Map(steps.map((record) => [record.id, { record, deals: new Set() }])),
    attributes: new Map(),
    failReasons: new Map(),
  };
}

function addFailReason({ failReasons }: StoredPipeline, record: FailReason, isDefault: boolean): void {
  failReasons.set(record.id, { record, isDefault });
}
