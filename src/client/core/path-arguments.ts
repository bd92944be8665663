import type { Operation, OperationRecord } from '../../shared/operation.ts';
import type { CallOptions } from './options.ts';
import {
  BadArgument,
  type CallParts,
  callOptionNames,
  checkCount,
  checkNames,
  type PreparedCall,
  prepareCall,
  readFields,
} from './prepare-call.ts';
import { writeJson } from './write-json.ts';

/** The argument of a call by path. */
export interface PathInit extends CallOptions {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> | undefined };
  body?: unknown;
}

/**
 * Checks and writes the argument of a call by path.
 *
 * @param called - the function that the program called
 * @param more - arguments after `init`, which must not have values
 * @throws `ArgumentError` naming the place, never a value
 */
export function preparePath(
  operation: Omit<Operation, 'record'> & { record: OperationRecord | undefined },
  called: (...args: never) => unknown,
  init: PathInit | undefined,
  more: readonly unknown[] = [],
): PreparedCall {
  return prepareCall(operation, called, ({ method }) => {
    checkCount(['path', init, ...more], ['path', 'options']);
    return takeApart(method, init);
  });
}

function takeApart(method: string, init: unknown): CallParts {
  const given: PathInit = readFields(init, 'options');
  checkNames(given, [...callOptionNames, 'params', 'body'], { one: 'option ', all: 'options' });
  const { params, body, signal, timeout, attemptTimeout, maxRetries, replayCreates, headers } = given;
  // List the names, because a rest pattern creates slow objects.
  const named = { signal, timeout, attemptTimeout, maxRetries, replayCreates, headers };
  const options = named satisfies Record<keyof CallOptions, unknown>;
  const places = readFields(params, 'params');
  checkNames(places, ['path', 'query'], { one: 'params.', all: 'params' });
  // The error of `fetch` would look like a lost connection.
  if (method === 'GET' && body !== undefined) throw new BadArgument('GET has no body');
  return {
    options,
    path: readFields(places.path, 'params.path'),
    query: readFields(places.query, 'params.query'),
    places: { path: 'params.path', query: 'params.query' },
    body: body === undefined ? undefined : writeJson(body, 'body'),
  };
}
