import {
  keyOf,
  listOperations,
  type Operation,
  type OperationTable,
  own,
  type Paging,
} from '../../shared/operation.ts';
import { type Call, type PendingCall, toMethodCall } from './call.ts';
import { encodeField } from './encode.ts';
import { type List, PagedList } from './list.ts';
import type { CallOptions, Logger } from './options.ts';
import type { Caller } from './path-client.ts';
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

export type { BlobLike, FileContent } from './encode.ts';
export type { Call, List };
/** Options of a method call, besides its parameters. */
export type MethodOptions = CallOptions;

/** Methods and nested groups of a group. */
interface Group {
  [name: string]: Group | ((...args: never) => unknown);
}

/** Creates the methods of a table. They are calls by path with flat parameters, and throw the `error` of the result. */
export function createMethods<Methods extends object>(table: OperationTable, caller: Caller, logger: Logger): Methods {
  // Without a prototype, so that no name of a group is already there.
  const root: Group = Object.create(null);
  for (const operation of listOperations(table)) {
    const names = operation.record.method.split('.');
    const last = names.pop() ?? '';
    let group = root;
    for (const name of names) {
      group[name] ??= Object.create(null);
      group = group[name] as Group;
    }
    group[last] = createMethod(operation, caller, logger);
  }
  // The generator writes records and types from the same operations.
  return root as Methods;
}

/** Creates the method of an operation. The options are the first argument if the operation has no parameters. */
function createMethod(operation: Operation, caller: Caller, logger: Logger): (...args: unknown[]) => unknown {
  const { bare, paging } = operation.record;
  const prepare = (params: unknown, options: unknown, args: unknown[]): PreparedCall =>
    prepareCall(operation, method, () => {
      if (bare) checkCount(args, ['options']);
      else checkCount(args, ['parameters', 'options']);
      return takeApart(operation, params, options);
    });

  function call<Data, Meta>(makeCall: () => PreparedCall): PendingCall<Data, Meta> {
    return toMethodCall(caller(operation, makeCall));
  }

  function list(paging: Paging, params: unknown, options: unknown, args: unknown[]): List<never, never> {
    // Check the arguments now, to have the caller in the stack trace. Report a bad argument on first use, when the list starts.
    const first = attempt(() => prepare(params, options, args));
    const given = 'error' in first ? {} : readFields(params, 'parameters');
    const limit = given[paging.limit] ?? paging.maximum;
    const offset = given[paging.offset];
    return new PagedList({
      paging,
      limit: typeof limit === 'number' ? limit : undefined,
      offset: typeof offset === 'number' ? offset : 0,
      signal: 'error' in first ? undefined : first.value.signal,
      fetch: (position) =>
        call(() => {
          if ('error' in first) throw first.error;
          return prepare({ ...given, ...positionFields(paging, position) }, options, args);
        }),
      logger,
      operation: keyOf(operation),
    });
  }

  function method(...args: unknown[]): unknown {
    const params = bare ? undefined : args[0];
    const options = bare ? args[0] : args[1];
    return paging ? list(paging, params, options, args) : call(() => prepare(params, options, args));
  }
  return method;
}

function attempt<Value>(make: () => Value): { value: Value } | { error: unknown } {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}

/** Omits unneeded fields: an unset `limit`, so that the default of the service applies, and the offset of the first page. */
function positionFields(paging: Paging, { limit, offset }: { limit: number | undefined; offset: number }): object {
  return { ...(limit !== undefined && { [paging.limit]: limit }), ...(offset > 0 && { [paging.offset]: offset }) };
}

/** Splits the arguments of a method into the parts of a request. */
function takeApart(operation: Operation, params: unknown, given: unknown): CallParts {
  const options: MethodOptions = readFields(given, 'options');
  checkNames(options, callOptionNames, { one: 'option ', all: 'options' });
  const { path, query, body, later } = placeFields(operation, readFields(params, 'parameters'));
  const { wrap } = operation.record;
  const write = (fields: Record<string, unknown>): string => {
    const json = writeJson(fields, '');
    return wrap ? `{${JSON.stringify(wrap)}:${json}}` : json;
  };
  // Write the body even if content has to be read first, to report other invalid fields before that.
  const written = body && write(body);
  return {
    options,
    path,
    query,
    places: { path: '', query: '' },
    body: body && later.length > 0 ? async () => write({ ...body, ...(await readAll(later)) }) : written,
  };
}

/** Fields whose content has to be read first, such as that of a `Blob`. */
type Later = [name: string, read: () => Promise<unknown>][];

async function readAll(later: Later): Promise<Record<string, unknown>> {
  const fields: [string, unknown][] = [];
  for (const [name, read] of later) fields.push([name, await read()]);
  return Object.fromEntries(fields);
}

/**
 * Distributes flat parameters to path, query and body, as the operation's record specifies, and encodes fields such as files.
 *
 * @returns `body` is `undefined` if it has no fields; `later` has the fields of the body whose content has to be read first
 */
export function placeFields(
  operation: Operation,
  params: Record<string, unknown>,
): {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  later: Later;
} {
  const { method, record } = operation;
  const { encode = {}, params: places = {}, paging } = record;
  const inPath: Record<string, unknown> = {};
  const inQuery: [string, unknown][] = [];
  const inBody: [string, unknown][] = [];
  const later: Later = [];
  for (const [name, value] of Object.entries(params)) {
    // A list filter can accept any field, so a misspelled `limit` would be sent as a filter, and the list would not be paged.
    const meant = paging && [paging.limit, paging.offset].find((right) => isClose(name, right));
    if (meant && meant !== name) throw new BadArgument(`${name} looks like ${meant}`);
    if (!record.open && callOptionNames.includes(name)) {
      throw new BadArgument(`${name} is an option, not a parameter: pass it as the second argument`);
    }
    const place = own(places, name) ?? (method === 'GET' ? 'query' : 'body');
    if (place === 'path') inPath[name] = value;
    else if (place === 'query') inQuery.push([name, value]);
    else {
      const encoding = own(encode, name);
      const encoded = encoding ? encodeField(value, encoding, name) : value;
      const mustBeRead = encoding !== undefined && typeof encoded === 'function';
      if (mustBeRead) later.push([name, async () => encoded()]);
      inBody.push([name, mustBeRead ? '' : encoded]);
    }
  }
  return {
    path: inPath,
    query: Object.fromEntries(inQuery),
    body: inBody.length > 0 ? Object.fromEntries(inBody) : undefined,
    later,
  };
}

/** Whether two words are equal or differ by one typing error. */
function isClose(one: string, other: string): boolean {
  const cut = (word: string): string[] => [word, ...[...word].map((_, at) => word.slice(0, at) + word.slice(at + 1))];
  return cut(one).some((part) => cut(other).includes(part));
}
