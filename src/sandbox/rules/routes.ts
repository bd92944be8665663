import type { core } from 'zod';
import * as z from 'zod';
import { behaviours, inferredLimits } from '../../../generated/behaviour.ts';
import { operations } from '../../../generated/operations.ts';
import { type Product, productNames } from '../../../generated/products.ts';
import { validators } from '../../../generated/zod.ts';
import { brokenInferredLimit, schemaAt } from '../../shared/inferred-limits.ts';
import { listOperations, type OperationTable } from '../../shared/operation.ts';
import type { OperationValidators } from '../../shared/operation-validators.ts';
import type { JsonSchema, OperationBehaviour } from '../../shared/reference.ts';

/** An operation, assembled from its generated records. */
export interface Route<Id extends string = string> extends Pick<OperationValidators, 'query' | 'body' | 'response'> {
  id: Id;
  method: string;
  /** The documented success status. */
  status: number;
  /** Types of the parameters, which arrive as strings. */
  parameters: Readonly<Record<string, JsonSchema>>;
  bodyRequired: boolean;
  /** Names of the fields at the top level of the body. */
  bodyFields: readonly string[];
  /** Path including the base path: `/crm/v1/deals/{dealId}`. */
  path: string;
  /** Whether the operation takes no credential. */
  anonymous: boolean;
  /** Names of the numeric path parameters, which arrive as strings. */
  numbers: readonly string[];
  /**
   * Returns the schema keyword that a value violates, such as `maxLength`, if the documents do not state this limit. The
   * location of the value is a path such as `['body', 'price']`.
   */
  brokenInferredLimit(issue: core.$ZodIssue, location: readonly string[]): string | undefined;
  /** Maximum page size, if documented. */
  pageSize: number | undefined;
}

/** The operations of each product. */
export const routes = Object.fromEntries(
  productNames.map((name) => [
    name,
    joinRecords<string>(operations[name], behaviours[name], inferredLimits[name], validators[name]),
  ]),
) as Record<Product, Route[]> as {
  readonly [Name in Product]: readonly Route<keyof (typeof behaviours)[Name] & string>[];
};

/** The operations of all products. */
export const allRoutes: readonly Route[] = Object.values(routes).flat();

function joinRecords<Id extends string>(
  table: OperationTable,
  behaviours: Readonly<Record<Id, OperationBehaviour>>,
  schemas: Readonly<Record<string, JsonSchema>>,
  validators: Readonly<Record<Id, OperationValidators>>,
): Route<Id>[] {
  const isId = (id: string): id is Id => Object.hasOwn(behaviours, id) && Object.hasOwn(validators, id);
  return listOperations(table).map(({ method, path, record }) => {
    const { id, base = table.base, params = {}, anonymous = false, text = [], paging, wrap } = record;
    if (!isId(id)) throw new Error(`No behaviour is generated for ${id}: run npm run generate`);
    const { status, parameters = {}, body: bodyName, bodyRequired = false }: OperationBehaviour = behaviours[id];
    const { query, body, response }: OperationValidators = validators[id];
    const numbers = Object.keys(params).filter((name) => params[name] === 'path' && !text.includes(name));
    const bodySchema = { $ref: `#/$defs/${bodyName}` };
    const request: JsonSchema = {
      properties: {
        query: { properties: parameters },
        body: wrap ? { properties: { [wrap]: bodySchema } } : bodySchema,
      },
    };
    return {
      id,
      method,
      path: base + path,
      status,
      parameters,
      bodyRequired,
      bodyFields: fieldsOf(body),
      anonymous,
      numbers,
      ...(query && { query }),
      ...(body && { body }),
      ...(response && { response }),
      brokenInferredLimit: (issue, location) => brokenInferredLimit(issue, schemaAt(request, location, schemas)),
      pageSize: paging?.maximum,
    };
  });
}

function fieldsOf(schema: core.$ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap());
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** Returns the documented maximum page size of a list operation. */
export function pageSizeOf<Id extends string>(routes: readonly Route<Id>[], id: Id): number {
  const pageSize = routes.find((route) => route.id === id)?.pageSize;
  if (pageSize === undefined) throw new Error(`The spec states no page size for ${id}`);
  return pageSize;
}
