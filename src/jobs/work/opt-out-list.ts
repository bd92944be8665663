import type { Client } from 'carillon';
import { operations as tables } from '../../../generated/operations.ts';
import { references as ofProducts } from '../../../generated/reference.ts';
import { isRecord } from '../../shared/is-record.ts';
import { listOperations } from '../../shared/operation.ts';
import type { OperationReferences } from '../../shared/reference.ts';
import { identityOf } from '../built-in/values.ts';
import { JobsError } from '../jobs-error.ts';

/** Facts of the spec about each operation, by operationId. */
export const references: OperationReferences = Object.assign({}, ...Object.values(ofProducts));

/**
 * Returns the identities of the people whom a call concerns, according to the spec.
 *
 * @param body - fields of the request body
 */
export function peopleIn(operationId: string, body: Readonly<Record<string, unknown>>): string[] {
  const { people, optOuts } = references[operationId] ?? {};
  return (people?.fields ?? [])
    .flatMap((field) => body[field] ?? [])
    .flatMap((person) => {
      const name = isRecord(person) && optOuts ? person[optOuts.field] : person;
      return typeof name === 'string' || typeof name === 'number' ? [identityOf(String(name))] : [];
    });
}

/** Returns the operation that lists the people who have opted out of what an operation sends, according to the spec. */
export function optOutsOf(operationId: string): { operation: string; field: string } | undefined {
  return references[operationId]?.optOuts;
}

/**
 * Reads the people who have opted out of what an operation sends, page by page.
 *
 * @param operationId - operation that sends
 * @throws client errors, including `IncompleteListError` if people may be missing from the list
 */
export async function* readOptOuts(api: Client, operationId: string): AsyncGenerator<string[]> {
  const optOuts = optOutsOf(operationId);
  if (!optOuts) return;
  const list: unknown = methodOf(api, optOuts.operation)();
  if (!isPaged(list)) throw new JobsError(`The operation ${optOuts.operation} does not return a list.`);
  for await (const { data } of list.pages({ complete: true })) {
    yield data.flatMap((item) => {
      const person = isRecord(item) ? item[optOuts.field] : undefined;
      return typeof person === 'string' || typeof person === 'number' ? [identityOf(String(person))] : [];
    });
  }
}

/** Finds the client method of an operation, by the name in the spec. */
function methodOf(api: Client, operationId: string): () => unknown {
  for (const [product, table] of Object.entries(tables)) {
    const found = listOperations(table).find(({ record }) => record.id === operationId);
    if (!found) continue;
    let at: unknown = Reflect.get(api, product);
    for (const name of found.record.method.split('.')) at = isObject(at) ? Reflect.get(at, name) : undefined;
    if (typeof at === 'function') return () => Reflect.apply(at, undefined, []);
  }
  throw new JobsError(`The client has no method for the operation ${operationId}.`);
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

interface PagedList {
  pages(options: { complete: true }): AsyncIterable<{ data: readonly unknown[] }>;
}

function isPaged(value: unknown): value is PagedList {
  return isObject(value) && typeof Reflect.get(value, 'pages') === 'function';
}
