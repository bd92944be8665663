import { listOperations, type Operation, type OperationTable } from '../../shared/operation.ts';
import { type ProductContext, startMethod } from './call.ts';
import { PagedList } from './list.ts';
import { prepareMethod } from './prepare.ts';

/** The methods and nested groups in a group. */
interface Group {
  [name: string]: Group | ((...args: never) => unknown);
}

/**
 * Creates the methods for a table. Each method takes flat parameters, calls the operation, and rejects with the `error` in the
 * result.
 *
 * @internal
 */
export function createMethods<Methods extends object>(table: OperationTable, product: ProductContext): Methods {
  // Without a prototype, so that a group named `constructor` is not found on `Object.prototype`.
  const root: Group = Object.create(null);
  for (const operation of listOperations(table)) {
    const names = operation.record.method.split('.');
    const last = names.pop() ?? '';
    let group = root;
    for (const name of names) {
      group[name] ??= Object.create(null);
      group = group[name] as Group;
    }
    group[last] = createMethod(operation, product);
  }
  // The generator writes records and types from the same operations.
  return root as Methods;
}

function createMethod(operation: Operation, product: ProductContext): (...args: unknown[]) => unknown {
  function method(...args: unknown[]): unknown {
    const prepared = prepareMethod(operation, args, method);
    const { paging } = operation.record;
    if (!paging) return startMethod(product, operation, prepared);
    const params = 'error' in prepared ? {} : prepared.call.params;
    const limit = params[paging.limit] ?? paging.maximum;
    const offset = params[paging.offset];
    return new PagedList({
      product,
      operation,
      paging,
      prepared,
      limit: typeof limit === 'number' ? limit : undefined,
      offset: typeof offset === 'number' ? offset : 0,
    });
  }
  return method;
}
