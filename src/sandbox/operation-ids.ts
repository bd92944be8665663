import type { CrmOperationId } from '../../generated/crm/operations.ts';
import type { EmailOperationId } from '../../generated/email/operations.ts';
import type { MessagingOperationId } from '../../generated/messaging/operations.ts';
import { crmRoutes, emailRoutes, messagingRoutes } from './routes.ts';

/** `operationId` of any operation of the three specs, such as `createDeal`. */
export type OperationId = CrmOperationId | EmailOperationId | MessagingOperationId;

/** Names of the path parameters of each operation. */
const pathNames: ReadonlyMap<string, readonly string[]> = new Map(
  [...crmRoutes, ...messagingRoutes, ...emailRoutes].map(({ id, path }) => [
    id,
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  ]),
);

export function listOperationIds(): string[] {
  return [...pathNames.keys()].sort();
}

export function isOperationId(value: unknown): value is OperationId {
  return typeof value === 'string' && pathNames.has(value);
}

/** Names of the path parameters of an operation, or of all operations. */
export function pathNamesOf(operation?: OperationId): readonly string[] {
  return operation === undefined ? [...pathNames.values()].flat() : (pathNames.get(operation) ?? []);
}
