import type { Sent } from '../../shared/call-types.ts';
import { type OperationTable, own } from '../../shared/operation.ts';
import { type ProductContext, startCall } from './call.ts';
import { type PathInit, preparePath } from './prepare.ts';
import type { PathResult } from './read.ts';

interface PathEntry {
  /** The arguments after the path. */
  args: unknown[];
  /** The payload of the response. */
  data: unknown;
  /** Other fields of the envelope. */
  meta: unknown;
}

/** Type of a generated table that maps each HTTP method and path to the arguments and result of the operation. */
export type PathTable<Paths> = { [Method in keyof Paths]: { [Path in keyof Paths[Method]]: PathEntry } };

/**
 * A client with one function for each HTTP method, such as `GET`. Each function calls the operation at a path. If the service
 * reports a failure, the result contains it as `error`. For any other failure, the call rejects with a `ConnectionError`,
 * `DeadlineError`, `TokenError`, `ResponseError`, `ArgumentError` or `ConfigError`, or with `signal.reason`.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const { data, error } = await api.crm.GET('/deals/{dealId}', { params: { path: { dealId: 501 } } });
 * if (error) console.error(error.status);
 * else console.log(data.name);
 * ```
 */
export type PathClient<Paths extends PathTable<Paths>> = {
  [Method in keyof Paths]: <Path extends keyof Paths[Method]>(
    path: Path,
    ...args: Paths[Method][Path]['args']
  ) => PathCall<PathResult<Paths[Method][Path]['data'], Paths[Method][Path]['meta']>>;
};

/** `PathClient` for a table that a product name selects. */
export type PathClientOf<Paths> = Paths extends PathTable<Paths> ? PathClient<Paths> : never;

/** A call by path: a promise of its result. */
export interface PathCall<Result> extends Promise<Result> {
  /**
   * Whether the call may have been processed so far. Read this property after an abort, because the call then rejects with
   * `signal.reason`.
   */
  readonly sent: Sent;
}

/**
 * Creates a function for each HTTP method in a table.
 *
 * @internal
 */
export function createPathClient<Paths extends PathTable<Paths>>(
  table: OperationTable,
  product: ProductContext,
): PathClient<Paths> {
  const methods = new Set(Object.values(table.operations).flatMap((records) => Object.keys(records)));
  const entries = [...methods].map((method) => {
    const callPath = (path: string, init?: PathInit, ...more: unknown[]) => {
      const operation = { method, path, record: own(own(table.operations, path) ?? {}, method) };
      return startCall(product, operation, preparePath(operation, [init, ...more], callPath));
    };
    return [method, callPath];
  });
  return Object.fromEntries(entries);
}
