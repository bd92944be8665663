import type { OperationModel } from '../generate/operation-model.ts';
import { modelSpec } from '../generate/operation-model.ts';
import { lookUp, type Spec } from '../spec/model.ts';
import { collectOpenPoints, type OpenGroup } from '../spec/open-points.ts';
import { walk } from '../spec/walk.ts';

/** A spec with the data that the pages need. */
export interface Reference {
  spec: Spec;
  operations: OperationModel[];
  openGroups: OpenGroup[];
}

/** @throws if a reference in the spec has no target */
export function readReference(spec: Spec): Reference {
  walk(spec.document, ({ $ref: reference }) => {
    if (typeof reference === 'string') lookUp(spec.document, reference);
  });
  return { spec, operations: modelSpec(spec).operations, openGroups: collectOpenPoints(spec) };
}
