import type * as Models from '../../../../generated/crm/models.ts';
import { crmRules } from '../../../../generated/crm/reference.ts';
import { GroupIndex } from '../../data/group-index.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

/** The only documented name of a default fail reason, which is a translation key. */
export const defaultFailReasonName = crmRules['fail-reason-default-names-are-keys'].values.example;

export interface PipelinesState {
  pipelines: Table<number, Models.Pipeline>;
  steps: Parts<StoredStep>;
  /** Definitions of deal attributes. */
  dealAttributes: Parts<StoredDealAttribute>;
  failReasons: Parts<StoredFailReason>;
}

export interface StoredStep {
  pipelineId: number;
  record: Models.Step;
}

export interface StoredDealAttribute {
  pipelineId: number;
  record: Models.DealAttribute;
}

export interface StoredFailReason {
  pipelineId: number;
  record: Models.FailReason;
  /** Whether the platform provides it. Its name is then a translation key. */
  isDefault: boolean;
}

/** Parts of pipelines, such as steps: by ID, with an index by pipeline. */
export class Parts<Part extends { pipelineId: number; record: { id: number } }> extends Table<number, Part> {
  readonly #byPipeline = this.watch(
    new GroupIndex<number, number, Readonly<Part>>(this, ({ pipelineId }) => [pipelineId]),
  );

  constructor(ledger: Ledger, name: string) {
    super(ledger, name, ({ record }) => record.id);
  }

  /** Returns the parts of a pipeline, oldest first. */
  of(pipelineId: number): Readonly<Part>[] {
    const parts: Readonly<Part>[] = [];
    for (const id of this.#byPipeline.keys(pipelineId)) {
      const part = this.get(id);
      if (part) parts.push(part);
    }
    return parts;
  }

  /** Returns a part if the pipeline has it. */
  find(pipelineId: number, id: number): Readonly<Part> | undefined {
    const part = this.get(id);
    return part?.pipelineId === pipelineId ? part : undefined;
  }
}

export function emptyPipelines(ledger: Ledger): PipelinesState {
  return {
    pipelines: new Table(ledger, 'crm.pipelines', ({ id }) => id),
    steps: new Parts(ledger, 'crm.steps'),
    dealAttributes: new Parts(ledger, 'crm.dealAttributes'),
    failReasons: new Parts(ledger, 'crm.failReasons'),
  };
}
