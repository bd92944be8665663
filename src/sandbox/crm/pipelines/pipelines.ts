import type { Pipeline } from '../../../../generated/crm/models.ts';
import { crmTitles } from '../../../../generated/crm/reference.ts';
import { zPipeline } from '../../../../generated/crm/zod.ts';
import type { Resource } from '../../data/resource.ts';
import { type Table, tableById } from '../../data/table.ts';

export interface PipelinesTables {
  pipelines: Table<number, Pipeline>;
}

/** @internal */
export const pipelines: Resource<PipelinesTables, Record<never, string>> = {
  tables: (ledger) => ({
    pipelines: tableById<Pipeline>(ledger, 'crm.pipelines', zPipeline, crmTitles.Pipeline),
  }),

  seed(state) {
    state.pipelines.put({ id: 1, name: 'Renewals', order: 1 });
    state.pipelines.put({ id: 2, name: 'Onboarding', order: 2 });
  },

  choices: {},
};
