import { type Call, PendingCall, type WithResponse } from './call.ts';
import { encodeField, problemOf } from './encode.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { type List, PagedList } from './list.ts';
import type { OperationRecord, Paging } from './operation.ts';
import type { CallOptions, Logger } from './options.ts';
import type { Caller, PathInit } from './path-client.ts';

export type { Call, List };
/** Options of a method call, beside its parameters. */
export type MethodOptions = CallOptions;

/** What generated methods call. */
export interface MethodCaller {
  call<Data, Meta>(key: string, params?: object, options?: MethodOptions): Call<Data, Meta>;
  list<Item, Meta>(key: string, params: object | undefined, options: MethodOptions | undefined): List<Item, Meta>;
}

/** Methods are calls by path with flat parameters. They throw what calls by path return as `error`. */
export function createMethodCaller(caller: Caller, logger: Logger): MethodCaller {
  function start<Data, Meta>(
    key: string,
    params: object | undefined,
    options: MethodOptions | undefined,
  ): PendingCall<Data, Meta> {
    const made = caller(key, () => ({ ...options, ...placeFields(key, recordOf(key), params ?? {}) }));
    const result = made.then(({ data, meta, error, response }) => {
      if (error) throw error;
      // The spec says so, and replies are validated only on request.
      return { data, meta, response } as WithResponse<Data, Meta>;
    });
    return new PendingCall(result, made.state);
  }

  const recordOf = (key: string): OperationRecord => caller.operations[key] ?? { id: key };

  return {
    call: start,
    list: (key, params, options) => {
      const { id, paging } = recordOf(key);
      if (!paging) throw new ArgumentError(`${key} is not a list`);
      const given: Record<string, unknown> = { ...params };
      const limit = given[paging.limit] ?? paging.maximum;
      const offset = given[paging.offset];
      return new PagedList({
        paging,
        limit: typeof limit === 'number' ? limit : undefined,
        offset: typeof offset === 'number' ? offset : 0,
        fetch: (position) =>
          start<never, never>(key, { ...given, ...positionFields(paging, position) }, options).withResponse(),
        logger,
        operation: key,
        operationId: id,
      });
    },
  };
}

/** What is not needed is not sent: the service's own page size stays, and the first page has no offset. */
function positionFields(paging: Paging, { limit, offset }: { limit: number | undefined; offset: number }): object {
  return { ...(limit !== undefined && { [paging.limit]: limit }), ...(offset > 0 && { [paging.offset]: offset }) };
}

/** Distributes flat parameters to path, query and body, as the operation's record says, and encodes decoded fields. */
export function placeFields(key: string, { query, encode, wrap, paging }: OperationRecord, params: object): PathInit {
  const inPath: Record<string, unknown> = {};
  const inQuery: [string, unknown][] = [];
  const inBody: [string, unknown][] = [];
  for (const [name, value] of Object.entries(params)) {
    // The filter of a list can take any field. A misspelt `limit` would be one, and the list would not be paged.
    const meant = paging && [paging.limit, paging.offset].find((right) => isClose(name, right));
    if (meant && meant !== name) throw new ArgumentError(`${key}: ${name} looks like ${meant}; nothing was sent`);
    if (key.includes(`{${name}}`)) inPath[name] = value;
    else if (query ? query.includes(name) : key.startsWith('GET ')) inQuery.push([name, value]);
    else inBody.push([name, encoded(key, name, value, encode)]);
  }
  const fields = Object.fromEntries(inBody);
  return {
    params: { path: inPath, query: Object.fromEntries(inQuery) },
    ...(inBody.length > 0 && { body: wrap ? { [wrap]: fields } : fields }),
  };
}

/** Whether two words are equal, or one is the other with one typing error. */
function isClose(one: string, other: string): boolean {
  const shorter = (word: string): string[] => [
    word,
    ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1)),
  ];
  return shorter(one).some((part) => shorter(other).includes(part));
}

function encoded(key: string, name: string, value: unknown, encode: OperationRecord['encode'] = {}): unknown {
  try {
    return encodeField(value, Object.hasOwn(encode, name) ? encode[name] : undefined);
  } catch (cause) {
    throw new ArgumentError(`${key}: ${name} ${problemOf(cause)}; nothing was sent`, { cause });
  }
}
