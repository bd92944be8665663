import { type Call, PendingCall, type WithResponse } from './call.ts';
import { encodeField } from './encode.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { type List, PagedList } from './list.ts';
import type { BodyRules, Paging } from './operation.ts';
import type { CallOptions, Logger } from './options.ts';
import type { Caller, PathInit } from './path-client.ts';

export type { Call, List };
/** Options of a method call, beside its parameters. */
export type MethodOptions = CallOptions;

/** What generated methods are made over. */
export interface MethodCaller {
  call<Data, Meta>(key: string, params?: object, options?: MethodOptions, rules?: BodyRules): Call<Data, Meta>;
  list<Item, Meta>(
    key: string,
    params: object | undefined,
    options: MethodOptions | undefined,
    paging: Paging,
  ): List<Item, Meta>;
}

/** Methods are calls by path with flat parameters, which throw what calls by path return as `error`. */
export function createMethodCaller(caller: Caller, logger: Logger): MethodCaller {
  async function run<Data, Meta>(
    key: string,
    params?: object,
    options?: MethodOptions,
    rules?: BodyRules,
  ): Promise<WithResponse<Data, Meta>> {
    const { data, meta, error, response } = await caller(key, { ...options, ...spread(key, params ?? {}, rules) });
    if (error) throw error;
    // The spec says so, and replies are not validated unless asked for.
    return { data, meta, response } as WithResponse<Data, Meta>;
  }
  return {
    call: (key, params, options, rules) => new PendingCall(run(key, params, options, rules)),
    list: (key, params, options, paging) => {
      const given: Record<string, unknown> = { ...params };
      const limit = given[paging.limit] ?? paging.maximum;
      const offset = given[paging.offset];
      return new PagedList({
        paging,
        limit: typeof limit === 'number' ? limit : undefined,
        offset: typeof offset === 'number' ? offset : 0,
        fetch: (position) => run(key, { ...given, ...positionFields(paging, position) }, options),
        logger,
        operation: key,
        operationId: caller.operations[key]?.id ?? key,
      });
    },
  };
}

/** What is not needed is not sent: the service's own page size stays, and the first page has no offset. */
function positionFields(paging: Paging, { limit, offset }: { limit: number | undefined; offset: number }): object {
  return { ...(limit !== undefined && { [paging.limit]: limit }), ...(offset > 0 && { [paging.offset]: offset }) };
}

/** Puts flat parameters where the request wants them, and encodes the fields that are given decoded. */
export function spread(key: string, params: object, { wrap, encode }: BodyRules = {}): PathInit {
  const path: Record<string, unknown> = {};
  const query: [string, unknown][] = [];
  const body: [string, unknown][] = [];
  for (const [name, value] of Object.entries(params)) {
    if (key.includes(`{${name}}`)) path[name] = value;
    else if (key.startsWith('GET ')) query.push([name, value]);
    else body.push([name, encoded(key, name, value, encode)]);
  }
  if (body.length === 0) return { params: { path, query: Object.fromEntries(query) } };
  const fields = Object.fromEntries(body);
  return { params: { path }, body: wrap ? { [wrap]: fields } : fields };
}

function encoded(key: string, name: string, value: unknown, encode: BodyRules['encode'] = {}): unknown {
  try {
    return encodeField(value, Object.hasOwn(encode, name) ? encode[name] : undefined);
  } catch (cause) {
    throw new ArgumentError(`${key}: ${name} cannot be written as JSON; nothing was sent`, { cause });
  }
}
