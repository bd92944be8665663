import type { OperationTable } from '../shared/operation.ts';
import type { Authorizer } from './core/authorizer.ts';
import { createProductContext } from './core/call.ts';
import { createMethods } from './core/methods.ts';
import { createPathClient, type PathClient, type PathTable } from './core/path-client.ts';
import type { ClientSettings } from './core/settings.ts';

/** Creates both interfaces to the operations of one spec: a function for each HTTP method, and a method for each operation. */
export function createProductClient<Paths extends PathTable<Paths>, Methods extends object>(
  table: OperationTable,
  settings: ClientSettings,
  authorizer: Authorizer,
): PathClient<Paths> & Methods {
  const product = createProductContext(table.base, settings, authorizer);
  return { ...createPathClient<Paths>(table, product), ...createMethods<Methods>(table, product) };
}
