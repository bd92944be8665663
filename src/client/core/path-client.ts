import { keyOf, type Operation, type OperationRecord, type OperationTable, own } from '../../shared/operation.ts';
import type { Authorizer } from './authorizer.ts';
import { noteCall } from './batch-calls.ts';
import { markCall, stateKey } from './call.ts';
import { CallState } from './call-state.ts';
import { Deadline } from './deadline.ts';
import { describeError } from './describe-error.ts';
import type { Sent } from './errors/base.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { observe } from './observe.ts';
import { createOpenapiClient } from './openapi-client.ts';
import type { CallOptions } from './options.ts';
import { type PathInit, preparePath } from './path-arguments.ts';
import type { PathResult } from './path-result.ts';
import type { PreparedCall } from './prepare-call.ts';
import { readAnswer } from './read-answer.ts';
import { authorizationAdvice, namesAuthorization, readLimits, type Settings } from './settings.ts';
import { callChannel, watch } from './trace.ts';
import { send } from './transport.ts';

interface PathEntry {
  /** The arguments after the path. */
  args: unknown[];
  /** The payload of the reply. */
  data: unknown;
  /** Other fields of the envelope. */
  meta: unknown;
}

/** Shape of a generated table of paths: method → path → arguments and result. */
export type PathTable<Paths> = { [Method in keyof Paths]: { [Path in keyof Paths[Method]]: PathEntry } };

/**
 * A function for each HTTP method of a spec. It returns a failure that the service reports as `error`. It throws a
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

/** Calls an operation. `prepare` runs within the call, so that its errors become errors of the call. */
export type Caller = (
  operation: Called,
  prepare: () => PreparedCall,
) => Promise<PathResult<unknown, unknown>> & { readonly [stateKey]: CallState };

/** A called operation. Without types, a caller can request one that does not exist. */
type Called = Omit<Operation, 'record'> & { record: OperationRecord | undefined };

/**
 * Calls operations of one table.
 *
 * @param base - base path of operations that do not have their own
 */
export function createCaller(base: string, settings: Settings, authorizer: Authorizer): Caller {
  const request = createOpenapiClient(settings.headers);

  async function run(
    { method, path, record: known }: Called,
    prepare: () => PreparedCall,
    state: CallState,
  ): Promise<PathResult<unknown, unknown>> {
    tellStart(state, settings);
    const isReading = reads(method, known);
    let call: PreparedCall | undefined;
    let deadline: Deadline | undefined;
    try {
      call = prepare();
      const { record, filledPath, query, signal, headers } = call;
      warnIfDeprecated(record, state, settings);
      if (noteCall(state, isReading, signal)) throw endedBatch(state);
      refuseAuthorization(headers, state, settings);
      const limits = readLimits(call, settings);
      const repeatable = isRepeatable(method, record);
      deadline = new Deadline(limits.timeout, state, signal, limits.attemptTimeout);
      const sending = { settings, deadline, authorizer, state, repeatable, anonymous: record.anonymous, ...limits };
      const body = typeof call.body === 'function' ? await deadline.race(call.body()) : call.body;
      const result = await request<PathResult<unknown, unknown>>({
        operationId: record.id,
        method,
        baseUrl: settings.address() + (record.base ?? base),
        path,
        filledPath,
        query,
        body,
        headers,
        async send(written) {
          const answer = await send(written, sending);
          if (answer.done) return { data: undefined, meta: undefined, response: answer.response };
          return readAnswer(state.label, record, answer, settings);
        },
      });
      state.end(result.error);
      return result;
    } catch (error) {
      // Needed if the call failed before its signal was known.
      noteCall(state, isReading, call?.signal);
      // Do not modify the reason of an abort.
      state.end(error, error !== call?.signal?.reason, false);
      throw error;
    } finally {
      deadline?.end();
      tellEnd(state, settings);
    }
  }

  return (operation, prepare) => {
    const { method, record } = operation;
    // An unknown path is not a template and can contain an ID.
    const state = new CallState(record?.id ?? method, record ? keyOf(operation) : method);
    // A property, because a getter would be slower.
    const made = watch(callChannel, state, settings.baseUrl, () => run(operation, prepare, state));
    return Object.assign(made, { [stateKey]: state });
  };
}

/** Whether a call does not modify data, such as a GET or a token request. */
function reads(method: string, record: OperationRecord | undefined): boolean {
  return method === 'GET' || record?.safe === true || record?.anonymous === true;
}

/** Whether a call can safely be sent twice. */
function isRepeatable(method: string, { safe, anonymous }: OperationRecord): boolean {
  return ['GET', 'PUT', 'DELETE'].includes(method) || safe === true || anonymous === true;
}

/** Warns once for each operation. */
function warnIfDeprecated({ id, deprecated }: OperationRecord, { label }: CallState, settings: Settings): void {
  if (!deprecated || settings.warned.has(id)) return;
  settings.warned.add(id);
  settings.logger.warn(`carillon: ${label} is deprecated`, { operationId: id });
}

function endedBatch({ label }: CallState): ArgumentError {
  return new ArgumentError(
    `${label}: its batch has ended as not-done; pass the batch's signal, or start a queue outside of batches; nothing was sent`,
  );
}

/** @throws {@link ArgumentError} if the client has a credential and the call sets another one */
function refuseAuthorization(headers: CallOptions['headers'], { label }: CallState, settings: Settings): void {
  if (settings.hasCredential && namesAuthorization(headers))
    throw new ArgumentError(`${label}: ${authorizationAdvice}; nothing was sent`);
}

function tellStart({ callId, operationId, operation }: CallState, { middleware, logger }: Settings): void {
  if (middleware.length === 0) return;
  const call = Object.freeze({ callId, operationId, operation });
  for (const hook of middleware) observe(() => hook.onStart?.(call), logger, 'onStart');
}

function tellEnd(state: CallState, { middleware, logger }: Settings): void {
  if (middleware.length === 0) return;
  const { callId, operationId, operation, tries, sent, error, hasFailed } = state;
  const call = Object.freeze({
    ...{ callId, operationId, operation, tries, sent },
    ...(hasFailed && { error: describeError(error) }),
  });
  for (const hook of middleware) observe(() => hook.onEnd?.(call), logger, 'onEnd');
}

/** Creates a function for each HTTP method of a table. */
export function createPathClient<Paths extends PathTable<Paths>>(
  table: OperationTable,
  call: Caller,
): PathClient<Paths> {
  const methods = new Set(Object.values(table.operations).flatMap((records) => Object.keys(records)));
  const entries = [...methods].map((method) => {
    const callPath = (path: string, init?: PathInit, ...more: unknown[]) => {
      const operation = { method, path, record: own(own(table.operations, path) ?? {}, method) };
      return markCall(call(operation, () => preparePath(operation, callPath, init, more)));
    };
    return [method, callPath];
  });
  return Object.fromEntries(entries);
}
