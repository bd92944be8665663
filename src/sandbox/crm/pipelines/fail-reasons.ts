import * as z from 'zod';
import type { FailReason } from '../../../../generated/crm/models.ts';
import { crmRules } from '../../../../generated/crm/reference.ts';
import { zFailReason } from '../../../../generated/crm/zod.ts';
import type { Resource } from '../../data/resource.ts';
import { byOrder } from '../records.ts';
import { Parts } from './parts.ts';

/** The only documented name of a default fail reason, which is a translation key. */
export const defaultFailReasonName = crmRules['fail-reason-default-names-are-keys'].values.example;

export interface FailReasonsTables {
  failReasons: Parts<StoredFailReason>;
}

export interface StoredFailReason {
  pipelineId: number;
  record: FailReason;
  /** Whether the fail reason is built in. If so, its name is a translation key. */
  isDefault: boolean;
}

const zStoredFailReason = z.object({ pipelineId: z.int(), record: zFailReason, isDefault: z.boolean() });

const choices = {
  'new-pipeline-fail-reasons':
    'A new pipeline has one enabled default fail reason. Its name is the example name in the documents.',
  'default-fail-reason':
    "A pipeline's default fail reason is its first enabled built-in reason in display order. If no built-in reason is enabled, it is the first enabled custom reason.",
  'new-fail-reason': 'A new fail reason is enabled and has no display order.',
  'fail-reason-deleted':
    'Any fail reason can be deleted, even a default one. Deals with a deleted fail reason keep its ID.',
} as const;

/**
 * Reasons why deals in a pipeline fail.
 *
 * @internal
 */
export const failReasons: Resource<FailReasonsTables, typeof choices> = {
  tables: (ledger) => ({ failReasons: new Parts(ledger, 'crm.failReasons', zStoredFailReason) }),

  seed(state) {
    const first = { name: defaultFailReasonName, isEnabled: true, order: 1 };
    const second = { name: 'Chose a competitor', isEnabled: true, order: 2 };
    state.failReasons.put({ pipelineId: 1, record: { id: 31, ...first }, isDefault: true });
    state.failReasons.put({ pipelineId: 1, record: { id: 32, ...second }, isDefault: false });
    state.failReasons.put({ pipelineId: 2, record: { id: 33, ...first }, isDefault: true });
  },

  choices,
};

/** Returns the enabled fail reason that applies if the request does not specify one. */
export function defaultFailReason({ failReasons }: FailReasonsTables, pipelineId: number): FailReason | undefined {
  const enabled = failReasons.of(pipelineId).filter(({ record }) => record.isEnabled);
  const platform = enabled.filter(({ isDefault }) => isDefault);
  return byOrder((platform.length > 0 ? platform : enabled).map(({ record }) => record))[0];
}
