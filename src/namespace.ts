import type { Authorizer } from './core/authorizer.ts';
import { createMethodCaller, type MethodCaller } from './core/method.ts';
import type { OperationTable } from './core/operation.ts';
import { createCaller, createPathClient, type PathClient, type PathTable } from './core/path-client.ts';
import type { Settings } from './core/settings.ts';

/** Both levels of one spec: the functions by path, and its methods. */
export function createNamespace<Paths extends PathTable<Paths>, Methods>(
  table: OperationTable,
  methods: (caller: MethodCaller) => Methods,
  settings: Settings,
  authorizer: Authorizer,
): PathClient<Paths> & Methods {
  const call = createCaller(table, settings, authorizer);
  return { ...createPathClient<Paths>(table, call), ...methods(createMethodCaller(call, settings.logger)) };
}
