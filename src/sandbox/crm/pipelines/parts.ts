import type { ZodType } from 'zod';
import { GroupIndex } from '../../data/group-index.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

/** Parts of pipelines, such as steps, by ID. An index finds the parts of a pipeline. */
export class Parts<Part extends { pipelineId: number; record: { id: number } }> extends Table<number, Part> {
  readonly #byPipeline = this.watch(new GroupIndex<number, number, Readonly<Part>>(({ pipelineId }) => [pipelineId]));

  /** @internal */
  constructor(ledger: Ledger, name: string, schema: ZodType<NoInfer<Part>>) {
    super(ledger, name, {
      key: ({ record }) => record.id,
      schema,
      ids: ({ record }) => [record.id],
    });
  }

  /** Returns the parts of a pipeline, oldest first. */
  of(pipelineId: number): Readonly<Part>[] {
    return this.getAll(this.#byPipeline.keys(pipelineId));
  }

  /** Returns a part if it belongs to the pipeline. */
  find(pipelineId: number, id: number): Readonly<Part> | undefined {
    const part = this.get(id);
    return part?.pipelineId === pipelineId ? part : undefined;
  }
}
