import type { SpecOperation } from '../spec/model.ts';
import type { OpenGroup } from '../spec/open-points.ts';
import { findUses } from '../spec/uses.ts';
import type { Reference } from './reference.ts';

/** The open points of the types that an operation uses. */
export type UsedTypes = (operation: SpecOperation) => OpenGroup[];

export function usedTypesFinder({ spec, openGroups }: Reference): UsedTypes {
  const uses = findUses(spec);
  return ({ operationId }) =>
    openGroups.filter(({ pointer }) => uses.get(pointer ?? '')?.some((user) => user.operationId === operationId));
}
