import { crmReference } from '../../generated/crm/reference.ts';
import { crmOperations } from '../../generated/crm/operations.ts';
import { emailReference } from '../../generated/email/reference.ts';
import { emailOperations } from '../../generated/email/operations.ts';
import { messagingReference } from '../../generated/messaging/reference.ts';
import { messagingOperations } from '../../generated/messaging/operations.ts';
import { listOperations, type OperationTable } from '../core/operation.ts';
import type { OperationDetails } from '../core/operation-details.ts';

/** Method, path and request schemas of an operation. Joins the two generated records of the operation. */
export interface Route<Id extends string = string> extends OperationDetails {
  id: Id;
  method: string;
  /** Path including the base path: `/crm/v1/deals/{dealId}`. */
  path: string;
  /** Whether the operation takes no credential. */
  anonymous: boolean;
  /** Names of the numeric path and query parameters, which arrive as text. */
  numbers: readonly string[];
  /** Maximum page size, if documented. */
  pageSize: number | undefined;
}

export const crmRoutes = joinRecords(crmOperations, crmReference);
export const messagingRoutes = joinRecords(messagingOperations, messagingReference);
export const emailRoutes = joinRecords(emailOperations, emailReference);

function joinRecords<Id extends string>(
  table: OperationTable,
  details: Readonly<Record<Id, OperationDetails>>,
): Route<Id>[] {
  const isId = (id: string): id is Id => Object.hasOwn(details, id);
  return listOperations(table).map(({ method, path, record }) => {
    const { id, base = table.base, anonymous = false, text = [], paging } = record;
    if (!isId(id)) throw new Error(`There are no details of ${id}: run npm run generate`);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const { queryTypes = {} }: OperationDetails = details[id];
    const numbers = [
      ...inPath.filter((name) => !text.includes(name)),
      ...Object.keys(queryTypes).filter((name) => ['integer', 'number'].includes(queryTypes[name] ?? '')),
    ];
    return { ...details[id], id, method, path: base + path, anonymous, numbers, pageSize: paging?.maximum };
  });
}

/** The documented maximum page size of a list operation. */
export function pageSizeOf<Id extends string>(routes: readonly Route<Id>[], id: Id): number {
  const pageSize = routes.find((route) => route.id === id)?.pageSize;
  if (pageSize === undefined) throw new Error(`The spec states no page size for ${id}`);
  return pageSize;
}
