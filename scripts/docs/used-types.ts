import type { SpecOperation } from '../spec/model.ts';
import type { OpenGroup } from '../spec/open-points.ts';
import { findUses } from '../spec/uses.ts';
import type { Reference } from './reference.ts';

/**
 * The open points of the types that an operation uses. Omits types of error bodies, which the operation's page names
 * anyway.
 */
export type UsedTypes = (operation: SpecOperation) => OpenGroup[];

export function usedTypesFinder({ spec, openGroups }: Reference): UsedTypes {
  const uses = findUses(spec);
  const types = openGroups.filter(({ title }) => title !== 'Error' && title !== 'OpenBody');
  return ({ operationId }) =>
    types.filter(({ pointer }) => uses.get(pointer ?? '')?.some((user) => user.operationId === operationId));
}
