import type { Authorizer } from './authorizer.ts';
import { CallState, noteCall } from './call-state.ts';
import { Deadline } from './deadline.ts';
import type { ApiError } from './errors/api-error.ts';
import type { Sent } from './errors/base.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { observe } from './observe.ts';
import { createOpenapiClient } from './openapi-client.ts';
import type { OperationRecord, OperationTable } from './operation.ts';
import type { CallOptions } from './options.ts';
import { fillPath } from './path.ts';
import { readAnswer } from './read-answer.ts';
import { readMaxRetries, readTimeout, type Settings } from './settings.ts';
import { type Sending, send } from './transport.ts';

/** What a call by path answers with; a failure that the service answered is `error`, never an exception. */
export type PathResult<Data, Meta> =
  | {
      /** The payload, without its envelope; nothing where no body is documented. */
      data: Data;
      /** What stood beside the payload; nothing where nothing is documented. */
      meta: Meta;
      /** Nothing: the call succeeded. */
      error?: undefined;
      /** The answer: its status and headers. Its body has been read. */
      response: Response;
    }
  | {
      /** Nothing: the call failed. */
      data?: undefined;
      /** Nothing: the call failed. */
      meta?: undefined;
      /** What the service answered with; other errors are thrown. */
      error: ApiError;
      /** The answer: its status and headers. Its body has been read. */
      response: Response;
    };

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
  ) => PathCall<PathResult<Paths[Method][Path]['data'], Paths[Method][Path]['meta']>>;
};

/** The promise of a call by path. */
export interface PathCall<Result> extends Promise<Result> {
  /** Whether the call may have been processed so far. Read it after an abort, which rejects with `signal.reason`. */
  readonly sent: Sent;
}

export interface PathInit extends CallOptions {
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> };
  body?: unknown;
}

/** Calls an operation by its key. */
export interface Caller {
  /**
   * @param state - of this call; made by the caller to read it
   */
  (key: string, init: PathInit | undefined, state?: CallState): Promise<PathResult<unknown, unknown>>;
  /** The state of a call that is about to start. */
  begin(key: string): CallState;
  readonly operations: OperationTable['operations'];
}

/** Calls operations of one table by `METHOD /path`. */
export function createCaller(table: OperationTable, settings: Settings, authorizer: Authorizer): Caller {
  const { operations } = table;
  const request = createOpenapiClient(settings.headers);
  const find = (key: string): OperationRecord | undefined =>
    Object.hasOwn(operations, key) ? operations[key] : undefined;
  const begin = (key: string): CallState => {
    const { id = key, anonymous = false } = find(key) ?? {};
    return new CallState({ id, key, anonymous });
  };
  const run = async (key: string, init: PathInit, state: CallState): Promise<PathResult<unknown, unknown>> => {
    const operation = find(key);
    if (!operation) throw new ArgumentError(`There is no operation ${key}`);
    warnIfDeprecated(key, operation, settings);
    const { id, safe = false, anonymous = false } = operation;
    const { signal, timeout, maxRetries, headers, params, body } = init;
    const [method = '', path = ''] = key.split(' ');
    const retries = readMaxRetries(maxRetries ?? settings.maxRetries);
    const attemptTimeout = readTimeout(init.attemptTimeout ?? settings.attemptTimeout, 'attemptTimeout');
    // Asking for another token does no harm.
    const repeatable = method !== 'POST' || safe || anonymous;
    if (signal && method !== 'GET' && !safe) noteCall(state, signal);
    const limit = repeatable && retries > 0 ? attemptTimeout : undefined;
    const deadline = new Deadline(readTimeout(timeout ?? settings.timeout), `${key} (${id})`, signal, state, limit);
    const sending: Sending = { settings, deadline, authorizer, state, repeatable, maxRetries: retries, attemptTimeout };
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
        async transport(written) {
          const answer = await send(written, sending);
          if (answer.doneBefore) return { data: undefined, meta: undefined, response: answer.response };
          return readAnswer(key, operation, answer, settings);
        },
      });
    } finally {
      deadline.end();
    }
  };
  const call = async (key: string, init: PathInit = {}, state = begin(key)): Promise<PathResult<unknown, unknown>> => {
    try {
      const result = await run(key, init, state);
      if (result.error) state.fail(result.error);
      else state.succeed();
      return result;
    } catch (error) {
      // What the caller aborts with is the caller's.
      if (error === init.signal?.reason) state.error = error;
      else state.fail(error);
      throw error;
    } finally {
      tellEnd(state, settings);
    }
  };
  return Object.assign(call, { operations, begin });
}

function tellEnd({ operation, tries, sent, error }: CallState, { middleware, logger }: Settings): void {
  for (const hook of middleware) {
    const tell = (): unknown =>
      hook.onEnd?.({ operationId: operation.id, operation: operation.key, tries, sent, error });
    observe(tell, () => logger.warn('carillon: onEnd of a middleware failed'));
  }
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
    (path: string, init?: PathInit) => {
      const key = `${method} ${path}`;
      const state = call.begin(key);
      return Object.defineProperty(call(key, init, state), 'sent', { get: () => state.sent });
    },
  ]);
  return Object.fromEntries(entries);
}
