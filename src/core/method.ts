import { type Call, PendingCall, type WithResponse } from './call.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { type List, PagedList } from './list.ts';
import {
  keyOf,
  listOperations,
  type MethodTable,
  type Operation,
  type OperationTable,
  own,
  type Paging,
} from './operation.ts';
import type { CallOptions, Logger } from './options.ts';
import type { Caller, PathInit } from './path-client.ts';
import { problemOf } from './write-json.ts';

export type { Call, List };
/** Options of a method call, beside its parameters. */
export type MethodOptions = CallOptions;

/** What the methods of a group are made of. */
interface Group {
  [name: string]: Group | ((...args: never) => unknown);
}

/**
 * Creates the methods of a table. They are calls by path with flat parameters, and throw what those return as `error`.
 */
export function createMethods<Methods extends object>(
  table: OperationTable,
  { groups, encodeField }: MethodTable,
  caller: Caller,
  logger: Logger,
): Methods {
  const root: Group = {};
  const operations = listOperations(table);
  for (const line of groups) {
    const [place = '', ...names] = line.split(' ');
    let group = root;
    for (const name of place.split('.')) {
      group[name] ??= {};
      group = group[name] as Group;
    }
    for (const name of names) {
      const operation = operations.shift();
      if (!operation) continue;
      const { bare, paging } = operation.record;
      const start = (params?: object, options?: MethodOptions): unknown =>
        paging ? list(operation, paging, params, options) : call(operation, params, options);
      group[name] = bare ? (options?: MethodOptions) => start(undefined, options) : start;
    }
  }
  // The generator writes groups, records and types from the same operations.
  return root as Methods;

  function call<Data, Meta>(
    operation: Operation,
    params: object | undefined,
    options: MethodOptions | undefined,
  ): PendingCall<Data, Meta> {
    const made = caller(operation, () => ({ ...options, ...placeFields(operation, params ?? {}, encodeField) }));
    const result = made.then(({ data, meta, error, response }) => {
      if (error) throw error;
      // The spec says so, and replies are validated only on request.
      return { data, meta, response } as WithResponse<Data, Meta>;
    });
    return new PendingCall(result, made.state);
  }

  function list(
    operation: Operation,
    paging: Paging,
    params: object | undefined,
    options: MethodOptions | undefined,
  ): List<never, never> {
    const given: Record<string, unknown> = { ...params };
    const limit = given[paging.limit] ?? paging.maximum;
    const offset = given[paging.offset];
    return new PagedList({
      paging,
      limit: typeof limit === 'number' ? limit : undefined,
      offset: typeof offset === 'number' ? offset : 0,
      fetch: (position) => call(operation, { ...given, ...positionFields(paging, position) }, options),
      signal: options?.signal,
      logger,
      operation: keyOf(operation),
    });
  }
}

/** What is not needed is not sent: the service's own page size stays, and the first page has no offset. */
function positionFields(paging: Paging, { limit, offset }: { limit: number | undefined; offset: number }): object {
  return { ...(limit !== undefined && { [paging.limit]: limit }), ...(offset > 0 && { [paging.offset]: offset }) };
}

/** Distributes flat parameters to path, query and body, as the operation's record says, and encodes decoded fields. */
export function placeFields(
  operation: Operation,
  params: object,
  encodeField: MethodTable['encodeField'] = (value) => value,
): PathInit {
  const { method, path, record } = operation;
  const { encode = {}, query, wrap, paging } = record;
  const inPath: Record<string, unknown> = {};
  const inQuery: [string, unknown][] = [];
  const inBody: [string, unknown][] = [];
  for (const [name, value] of Object.entries(params)) {
    // The filter of a list can take any field. A misspelt `limit` would be one, and the list would not be paged.
    const meant = paging && [paging.limit, paging.offset].find((right) => isClose(name, right));
    if (meant && meant !== name)
      throw new ArgumentError(`${keyOf(operation)}: ${name} looks like ${meant}; nothing was sent`);
    if (path.includes(`{${name}}`)) inPath[name] = value;
    else if (query ? query.includes(name) : method === 'GET') inQuery.push([name, value]);
    else {
      const encoding = own(encode, name);
      try {
        inBody.push([name, encoding ? encodeField(value, encoding) : value]);
      } catch (cause) {
        throw new ArgumentError(`${keyOf(operation)}: ${name} ${problemOf(cause)}; nothing was sent`, { cause });
      }
    }
  }
  const fields = Object.fromEntries(inBody);
  return {
    params: { path: inPath, query: Object.fromEntries(inQuery) },
    ...(inBody.length > 0 && { body: wrap ? { [wrap]: fields } : fields }),
  };
}

/** Whether two words are equal, or one is the other with one typing error. */
function isClose(one: string, other: string): boolean {
  const cut = (word: string): string[] => [word, ...[...word].map((_, at) => word.slice(0, at) + word.slice(at + 1))];
  return cut(one).some((part) => cut(other).includes(part));
}
