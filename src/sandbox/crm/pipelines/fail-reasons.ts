import * as z from 'zod';
import type { FailReason, Pipeline } from '../../../../generated/crm/models.ts';
import { crmRules } from '../../../../generated/crm/reference.ts';
import { zFailReason } from '../../../../generated/crm/zod.ts';
import type { Context } from '../../context.ts';
import { newId } from '../common.ts';
import { byOrder } from '../records.ts';
import type { CrmResource } from '../resources.ts';
import { Parts } from './parts.ts';

/** The only documented name of a default fail reason, which is a translation key. */
export const defaultFailReasonName = crmRules['fail-reason-default-names-are-keys'].values.example;

export interface FailReasonsTables {
  failReasons: Parts<StoredFailReason>;
}

export interface StoredFailReason {
  pipelineId: number;
  record: FailReason;
  /** Whether the platform provides it. Its name is then a translation key. */
  isDefault: boolean;
}

const zStoredFailReason = z.object({ pipelineId: z.int(), record: zFailReason, isDefault: z.boolean() });

const choices = {
  'new-pipeline-fail-reasons':
    'A new pipeline has one enabled default fail reason. Its name is the example name in the documents.',
  'default-fail-reason':
    'The default fail reason of a pipeline is the first enabled platform fail reason in display order, or else the first enabled custom one.',
  'new-fail-reason': 'A new fail reason is enabled and has no display order.',
  'fail-reason-deleted':
    'Any fail reason can be deleted, including a default one. Deals that failed with it keep its ID.',
} as const;

type Operations =
  | 'listPipelineFailReasons'
  | 'createPipelineFailReason'
  | 'updatePipelineFailReason'
  | 'deletePipelineFailReason';

/**
 * Reasons why a deal of a pipeline fails.
 *
 * @internal
 */
export const failReasons: CrmResource<FailReasonsTables, typeof choices, Operations> = {
  tables: (ledger) => ({ failReasons: new Parts(ledger, 'crm.failReasons', zStoredFailReason) }),

  seed(state) {
    const first = { name: defaultFailReasonName, isEnabled: true, order: 1 };
    const second = { name: 'Chose a competitor', isEnabled: true, order: 2 };
    state.failReasons.put({ pipelineId: 1, record: { id: 31, ...first }, isDefault: true });
    state.failReasons.put({ pipelineId: 1, record: { id: 32, ...second }, isDefault: false });
    state.failReasons.put({ pipelineId: 2, record: { id: 33, ...first }, isDefault: true });
  },

  choices,

  handlers: {
    listPipelineFailReasons: {
      list: { order: 'listed-by-order' },
      handle({ path }, context) {
        const { id } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
        const records = context.state.crm.failReasons.of(id).map(({ record }) => record);
        return { data: context.list(byOrder(records)) };
      },
    },

    createPipelineFailReason: {
      always: ['new-fail-reason'],
      schemaRule: 'fail-reason-invalid',
      beforeLimits: ({ path }, context) => void findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline'),
      handle({ path }, context) {
        const { crm } = context.state;
        const { id: pipelineId } = findPipeline(context, path.pipelineId, 'fail-reasons-unknown-pipeline');
        const record: FailReason = {
          ...context.fields(zFailReason),
          id: newId(crm),
          isEnabled: true,
        };
        crm.failReasons.put({ pipelineId, record, isDefault: false });
        return { data: record };
      },
    },

    updatePipelineFailReason: {
      schemaRule: 'fail-reason-invalid',
      beforeLimits: ({ path }, context) => void findReason(context, path),
      handle({ path }, context) {
        const reason = findReason(context, path);
        const record = context.overwrite(reason.record, zFailReason);
        context.state.crm.failReasons.put({ ...reason, record });
        return { data: record };
      },
    },

    deletePipelineFailReason: {
      always: ['fail-reason-deleted'],
      handle({ path }, context) {
        findReason(context, path);
        context.state.crm.failReasons.delete(path.reasonId);
      },
    },
  },
};

/** Returns the enabled fail reason for a deal that fails without naming one. */
export function defaultFailReason({ failReasons }: FailReasonsTables, pipelineId: number): FailReason | undefined {
  const enabled = failReasons.of(pipelineId).filter(({ record }) => record.isEnabled);
  const platform = enabled.filter(({ isDefault }) => isDefault);
  return byOrder((platform.length > 0 ? platform : enabled).map(({ record }) => record))[0];
}

function findPipeline(
  context: Context,
  pipelineId: number,
  rule: 'fail-reasons-unknown-pipeline' | 'fail-reason-unknown',
): Readonly<Pipeline> {
  return context.state.crm.pipelines.get(pipelineId) ?? context.notFound('pipeline', rule);
}

function findReason(
  context: Context,
  { pipelineId, reasonId }: { pipelineId: number; reasonId: number },
): Readonly<StoredFailReason> {
  const { id } = findPipeline(context, pipelineId, 'fail-reason-unknown');
  return context.state.crm.failReasons.find(id, reasonId) ?? context.notFound('fail reason', 'fail-reason-unknown');
}
