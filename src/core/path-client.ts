import type { Authorizer } from './authorizer.ts';
import { Deadline } from './deadline.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { createOpenapiClient } from './openapi-client.ts';
import type { OperationRecord, OperationTable } from './operation.ts';
import type { CallOptions } from './options.ts';
import { fillPath } from './path.ts';
import type { PathResult } from './path-result.ts';
import { readAnswer } from './read-answer.ts';
import { readMaxRetries, readTimeout, type Settings } from './settings.ts';
import { type Sending, send } from './transport.ts';

interface PathEntry {
  /** What stands behind the path in a call. */
  args: unknown[];
  /** The payload of the reply. */
  data: unknown;
  /** What stands beside the payload. */
  meta: unknown;
}

/** The shape of a generated table of paths: method → path → arguments and result. */
export type PathTable<Paths> = { [Method in keyof Paths]: { [Path in keyof Paths[Method]]: PathEntry } };

/**
 * A function for each HTTP method of a spec. A failure that the service answered is `error`; a call throws a
 * `ConnectionError`, `DeadlineError`, `TokenError`, `ResponseError` or `ArgumentError`, or `signal.reason`.
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
  ) => Promise<PathResult<Paths[Method][Path]['data'], Paths[Method][Path]['meta']>>;
};

export interface PathInit extends CallOptions {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
  body?: unknown;
}

/** Calls an operation by its key. */
export interface Caller {
  (key: string, init?: PathInit): Promise<PathResult<unknown, unknown>>;
  readonly operations: OperationTable['operations'];
}

/** Calls operations of one table by `METHOD /path`. */
export function createCaller(table: OperationTable, settings: Settings, authorizer: Authorizer): Caller {
  const { operations } = table;
  const request = createOpenapiClient(settings.headers);
  const call = async (key: string, init: PathInit = {}): Promise<PathResult<unknown, unknown>> => {
    const operation = Object.hasOwn(operations, key) ? operations[key] : undefined;
    if (!operation) throw new ArgumentError(`There is no operation ${key}`);
    warnIfDeprecated(key, operation, settings);
    const { id, safe = false, anonymous = false } = operation;
    const { signal, timeout, maxRetries, headers, params, body } = init;
    const [method = '', path = ''] = key.split(' ');
    const retries = readMaxRetries(maxRetries ?? settings.maxRetries);
    const deadline = new Deadline(readTimeout(timeout ?? settings.timeout), id, signal);
    const sending: Sending = {
      settings,
      deadline,
      authorizer,
      operation: { id, key, anonymous },
      // Asking for another token does no harm.
      repeatable: method !== 'POST' || safe || anonymous,
      maxRetries: retries,
    };
    try {
      return await request<PathResult<unknown, unknown>>({
        operationId: id,
        method,
        baseUrl: settings.baseUrl + (operation.base ?? table.base),
        path,
        params: { path: params?.path ?? {}, query: params?.query },
        body,
        headers,
        pathSerializer: (url, values) => fillPath(url, operation, values),
        async send(written) {
          const answer = await send(written, sending);
          if (answer.doneBefore) return { data: undefined, meta: undefined, response: answer.response };
          return readAnswer(key, operation, answer, settings);
        },
      });
    } finally {
      deadline.end();
    }
  };
  return Object.assign(call, { operations });
}

function warnIfDeprecated(key: string, { id, deprecated }: OperationRecord, { warned, logger }: Settings): void {
  if (!deprecated || warned.has(key)) return;
  warned.add(key);
  logger.warn(`carillon: ${key} (${id}) is deprecated`);
}

/** The functions by method of a table. */
export function createPathClient<Paths extends PathTable<Paths>>(
  table: OperationTable,
  call: Caller,
): PathClient<Paths> {
  const methods = new Set(Object.keys(table.operations).map((key) => key.slice(0, key.indexOf(' '))));
  const entries = [...methods].map((method) => [
    method,
    (path: string, init?: PathInit) => call(`${method} ${path}`, init),
  ]);
  return Object.fromEntries(entries);
}
