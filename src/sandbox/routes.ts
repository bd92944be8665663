import type { core } from 'zod';
import * as z from 'zod';
import { crmBehaviour, crmInferredLimits } from '../../generated/crm/behaviour.ts';
import { crmOperations } from '../../generated/crm/operations.ts';
import { crmValidators } from '../../generated/crm/validators.ts';
import { emailBehaviour, emailInferredLimits } from '../../generated/email/behaviour.ts';
import { emailOperations } from '../../generated/email/operations.ts';
import { emailValidators } from '../../generated/email/validators.ts';
import { messagingBehaviour, messagingInferredLimits } from '../../generated/messaging/behaviour.ts';
import { messagingOperations } from '../../generated/messaging/operations.ts';
import { messagingValidators } from '../../generated/messaging/validators.ts';
import { breaksInferredLimit, schemaAt } from '../shared/inferred-limits.ts';
import { listOperations, type OperationTable } from '../shared/operation.ts';
import type { OperationValidators } from '../shared/operation-validators.ts';
import type { JsonSchema, OperationBehaviour } from '../shared/reference.ts';

/** An operation, joined from its generated records. */
export interface Route<Id extends string = string> extends Pick<OperationValidators, 'query' | 'body' | 'reply'> {
  id: Id;
  method: string;
  /** Whether the operation only reads. */
  reads: boolean;
  /** The documented success status. */
  status: number;
  /** JSON types of the query parameters, all of which arrive as text. */
  queryTypes: Readonly<Record<string, string>>;
  bodyRequired: boolean;
  /** Names of the fields at the top of the body. */
  bodyFields: readonly string[];
  /** Path including the base path: `/crm/v1/deals/{dealId}`. */
  path: string;
  /** Whether the operation takes no credential. */
  anonymous: boolean;
  /** Names of the numeric path and query parameters, which arrive as text. */
  numbers: readonly string[];
  /** Whether an issue at a location in the request, such as `['body', 'price']`, reports a limit that is not documented. */
  isInferred(issue: core.$ZodIssue, location: readonly string[]): boolean;
  /** Maximum page size, if documented. */
  pageSize: number | undefined;
}

export const crmRoutes = joinRecords(crmOperations, crmBehaviour, crmInferredLimits, crmValidators);
export const messagingRoutes = joinRecords(
  messagingOperations,
  messagingBehaviour,
  messagingInferredLimits,
  messagingValidators,
);
export const emailRoutes = joinRecords(emailOperations, emailBehaviour, emailInferredLimits, emailValidators);

function joinRecords<Id extends string>(
  table: OperationTable,
  behaviours: Readonly<Record<Id, OperationBehaviour>>,
  schemas: Readonly<Record<string, JsonSchema>>,
  validators: Readonly<Record<Id, OperationValidators>>,
): Route<Id>[] {
  const isId = (id: string): id is Id => Object.hasOwn(behaviours, id) && Object.hasOwn(validators, id);
  return listOperations(table).map(({ method, path, record }) => {
    const { id, base = table.base, params = {}, anonymous = false, text = [], paging, wrap, reads = false } = record;
    if (!isId(id)) throw new Error(`There is no behaviour of ${id}: run npm run generate`);
    const { status, parameters = {}, body: bodyName, bodyRequired = false }: OperationBehaviour = behaviours[id];
    const { query, body, reply }: OperationValidators = validators[id];
    const namesIn = (place: string): string[] => Object.keys(params).filter((name) => params[name] === place);
    const queryTypes = Object.fromEntries(
      namesIn('query').map((name) => [name, [parameters[name]?.type ?? 'string'].flat()[0] ?? 'string']),
    );
    const numbers = [
      ...namesIn('path').filter((name) => !text.includes(name)),
      ...namesIn('query').filter((name) => ['integer', 'number'].includes(queryTypes[name] ?? '')),
    ];
    const bodySchema = { $ref: `#/$defs/${bodyName}` };
    const request: JsonSchema = {
      properties: {
        query: { properties: parameters },
        body: wrap ? { properties: { [wrap]: bodySchema } } : bodySchema,
      },
    };
    return {
      ...{
        id,
        method,
        path: base + path,
        reads,
        status,
        queryTypes,
        bodyRequired,
        bodyFields: fieldsOf(body),
        anonymous,
        numbers,
      },
      ...(query && { query }),
      ...(body && { body }),
      ...(reply && { reply }),
      isInferred: (issue, location) => breaksInferredLimit(issue, schemaAt(request, location, schemas)),
      pageSize: paging?.maximum,
    };
  });
}

function fieldsOf(schema: core.$ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap());
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The documented maximum page size of a list operation. */
export function pageSizeOf<Id extends string>(routes: readonly Route<Id>[], id: Id): number {
  const pageSize = routes.find((route) => route.id === id)?.pageSize;
  if (pageSize === undefined) throw new Error(`The spec states no page size for ${id}`);
  return pageSize;
}
