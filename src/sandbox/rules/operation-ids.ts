import type { OperationId } from '../../../generated/types.ts';
import { allRoutes } from './routes.ts';

export type { OperationId };

/** Names of the path parameters of each operation. */
const pathNames: ReadonlyMap<string, readonly string[]> = new Map(
  allRoutes.map(({ id, path }) => [id, [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)]),
);

export function listOperationIds(): string[] {
  return [...pathNames.keys()].sort();
}

export function isOperationId(value: unknown): value is OperationId {
  return typeof value === 'string' && pathNames.has(value);
}

/**
 * Error text for an unknown operation, such as the name of a method. It suggests the operations that share the most words.
 */
export function noSuchOperation(name: unknown): string {
  const text = String(name).slice(0, 100);
  const words = text.split(/[^A-Za-z]+|(?=[A-Z])/).flatMap((word) => word.toLowerCase().replace(/s$/, '') || []);
  const shared = (id: string): number => words.filter((word) => id.toLowerCase().includes(word)).length;
  const likely = [...pathNames.keys()]
    .filter((id) => shared(id) > 0)
    .sort((one, other) => shared(other) - shared(one) || one.length - other.length)
    .slice(0, 3);
  const advice = likely.length > 0 ? `Did you mean ${likely.join(', ')}?` : 'An example is createDeal.';
  return `There is no operation with the operationId '${text}'. ${advice}`;
}

/** Names of the path parameters of an operation, or of all operations. */
export function pathNamesOf(operation?: OperationId): readonly string[] {
  return operation === undefined ? [...pathNames.values()].flat() : (pathNames.get(operation) ?? []);
}
