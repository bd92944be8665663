import { messageOf } from '../../../src/shared/message-of.ts';
import type { OperationModel } from '../../generate/model/operation-model.ts';
import { modelSpec } from '../../generate/model/operation-model.ts';
import { type SpecName, specNames } from '../../spec/files.ts';
import { collectGaps, type GapGroup } from '../../spec/gaps.ts';
import { lookUp, type Spec, type SpecOperation } from '../../spec/model.ts';
import { findUses } from '../../spec/uses.ts';
import { walk } from '../../spec/walk.ts';

/** A spec with the data that the pages need. */
export interface ProductReference {
  spec: Spec;
  operations: OperationModel[];
  gapGroups: GapGroup[];
  /** The gaps of the types that an operation uses. Omits types of error bodies, which each page of an operation names. */
  gapsOfTypes(operation: SpecOperation): GapGroup[];
}

/** @throws if a reference in the spec has no target */
export function readProductReference(spec: Spec): ProductReference {
  walk(spec.openapi, ({ $ref: reference }) => {
    if (typeof reference === 'string') lookUp(spec.openapi, reference);
  });
  const gapGroups = collectGaps(spec);
  const uses = findUses(spec);
  const types = gapGroups.filter(({ title }) => title !== 'Error' && title !== 'OpenBody');
  return {
    spec,
    operations: modelSpec(spec).operations,
    gapGroups,
    gapsOfTypes: ({ operationId }) =>
      types.filter(({ pointer }) => uses.get(pointer ?? '')?.some((user) => user.operationId === operationId)),
  };
}

/** Thrown if no page can be built from a spec. */
export class SpecError extends Error {
  override name = 'SpecError';
}

/** @throws {@link SpecError} that names each spec with the reason */
export function readProductReferences(load: (name: SpecName) => Spec): ProductReference[] {
  const failures: string[] = [];
  const references = specNames.flatMap((name) => {
    try {
      return readProductReference(load(name));
    } catch (error) {
      failures.push(`spec/${name}.yaml: ${messageOf(error)}`);
      return [];
    }
  });
  if (failures.length > 0) throw new SpecError(failures.join('\n'));
  return references;
}
