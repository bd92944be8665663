import type { OperationTable } from '../shared/operation.ts';
import type { Authorizer } from './core/authorizer.ts';
import { createMethods } from './core/method.ts';
import { createCaller, createPathClient, type PathClient, type PathTable } from './core/path-client.ts';
import type { Settings } from './core/settings.ts';

/** Creates both interfaces of one spec: functions by path, and methods. */
export function createNamespace<Paths extends PathTable<Paths>, Methods extends object>(
  table: OperationTable,
  settings: Settings,
  authorizer: Authorizer,
): PathClient<Paths> & Methods {
  const call = createCaller(table.base, settings, authorizer);
  return { ...createPathClient<Paths>(table, call), ...createMethods<Methods>(table, call, settings.logger) };
}
