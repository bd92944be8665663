import type { OperationId } from '../../../generated/types.ts';
import { didYouMean, shorten } from '../../shared/did-you-mean.ts';
import { allRoutes } from './routes.ts';

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

/** Returns the error message for an unknown operation. */
export function noSuchOperation(given: unknown): string {
  const name = shorten(String(given));
  const advice = didYouMean(name, listOperationIds()) ?? "An example of an operationId is 'createDeal'.";
  return `There is no operation with the operationId '${name}'. ${advice}`;
}

/** Names of the path parameters of an operation, or of all operations. */
export function pathNamesOf(operation?: OperationId): readonly string[] {
  return operation === undefined ? [...pathNames.values()].flat() : (pathNames.get(operation) ?? []);
}
