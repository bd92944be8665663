import { crmRules } from '../../../../generated/crm/details.ts';
import type * as Models from '../../../../generated/crm/models.ts';

/** The only documented name of a default fail reason, which is a translation key. */
export const defaultFailReasonName = crmRules['fail-reason-default-names-are-keys'].values.example;

export interface PipelinesState {
  pipelines: Map<number, StoredPipeline>;
}

export interface StoredPipeline {
  record: Models.Pipeline;
  steps: Map<number, StoredStep>;
  /** Definitions of deal attributes. */
  attributes: Map<number, Models.DealAttribute>;
  failReasons: Map<number, StoredFailReason>;
}

export interface StoredStep {
  record: Models.Step;
  /** IDs of the deals in this step. */
  deals: Set<number>;
}

export interface StoredFailReason {
  record: Models.FailReason;
  /** Whether the platform provides it. Its name is then a translation key. */
  isDefault: boolean;
}

export function emptyPipelines(): PipelinesState {
  return { pipelines: new Map() };
}
