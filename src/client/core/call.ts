import type { Call, CallOptions, Sent, WithResponse } from '../../shared/call-types.ts';
import { changesNoRecord, keyOf, type OperationRecord } from '../../shared/operation.ts';
import type { Authorizer } from './authorizer.ts';
import { noteCall } from './batch-calls.ts';
import { CallState } from './call-state.ts';
import { Deadline } from './deadline.ts';
import { inspect } from './errors/base.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { tellEnd, tellStart } from './observe.ts';
import { createOpenapiClient, type OpenapiClient, request } from './openapi.ts';
import { type Called, type Prepared, readBodyFiles } from './prepare.ts';
import { type PathResult, readResult } from './read.ts';
import { authorizationAdvice, namesAuthorization, readLimits, type Settings } from './settings.ts';
import { callChannel, watch } from './trace.ts';

/**
 * Data that all calls of one spec share.
 *
 * @internal
 */
export interface Namespace {
  /** Base path of operations that do not have their own. */
  readonly base: string;
  readonly settings: Settings;
  readonly authorizer: Authorizer;
  readonly openapi: OpenapiClient;
}

/** @internal */
export function createNamespace(base: string, settings: Settings, authorizer: Authorizer): Namespace {
  return { base, settings, authorizer, openapi: createOpenapiClient(settings.headers) };
}

/**
 * Key of a call's state. A symbol, so that JSON and spreads do not show it.
 *
 * @internal
 */
export const stateKey = Symbol('state');

/** A promise with the state of its call. */
type Stated = { readonly [stateKey]: CallState };

/**
 * A call that has started. It is a native promise of the payload: engines then keep the line that awaits it in the stack trace of
 * an error, which they do not for other objects with `then`.
 *
 * @internal
 */
export interface PendingCall<Data, Meta> extends Call<Data, Meta>, Stated {}

/** Members of a call by method or path, besides those of a promise. */
const members: PropertyDescriptorMap & ThisType<Stated> = {
  [Symbol.toStringTag]: { value: 'Call' },
  sent: {
    get() {
      return this[stateKey].sent;
    },
  },
  // For Node's `console.log`.
  [inspect]: {
    value() {
      return `Call { ${this[stateKey].operation}: await it for its result }`;
    },
  },
};

/** A prototype, because defining the properties of each call would take ten times as long. */
const prototype = /* @__PURE__ */ Object.create(Promise.prototype, members);

/**
 * Adds the members of a call to its promise.
 *
 * @internal
 */
export function markCall<Made extends Promise<unknown> & Stated>(made: Made): Made & { readonly sent: Sent } {
  return Object.setPrototypeOf(made, prototype);
}

/**
 * Converts the promise of a call by path into that of a call by method, which rejects with the failure that the service reports.
 *
 * @internal
 */
export function toMethodCall<Data, Meta>(
  made: Promise<PathResult<unknown, unknown>> & Stated,
): PendingCall<Data, Meta> {
  let whole: WithResponse<Data, Meta>;
  const payload = made.then(({ data, meta, error, response }) => {
    if (error) throw error;
    // The types come from the spec. Replies are validated only on request.
    whole = { data, meta, response } as WithResponse<Data, Meta>;
    return whole.data;
  });
  // Derive this promise on request only, because an unused one would cause an unhandled rejection.
  const withResponse = (): Promise<WithResponse<Data, Meta>> => payload.then(() => whole);
  return markCall(Object.assign(payload, { [stateKey]: made[stateKey], withResponse }));
}

/**
 * Starts a call. Failures that the service reports are part of the result.
 *
 * @internal
 */
export function startCall(
  namespace: Namespace,
  operation: Called,
  prepared: Prepared,
): Promise<PathResult<unknown, unknown>> & Stated {
  const { method, record } = operation;
  // An unknown path is not a template and can contain an ID.
  const state = new CallState(record?.id ?? method, record ? keyOf(operation) : method);
  const run = () => runCall(namespace, operation, prepared, state);
  const made = watch(callChannel, state, namespace.settings.baseUrl, run);
  return Object.assign(made, { [stateKey]: state });
}

async function runCall(
  { base, settings, authorizer, openapi }: Namespace,
  { method, path, record: known }: Called,
  prepared: Prepared,
  state: CallState,
): Promise<PathResult<unknown, unknown>> {
  const signal = 'call' in prepared ? prepared.call.options.signal : undefined;
  // A call of an unknown operation sends nothing.
  const isReading = known ? changesNoRecord(known) : method === 'GET';
  let deadline: Deadline | undefined;
  tellStart(state, settings);
  try {
    // A batch counts calls with wrong arguments, too.
    const hasBatchEnded = noteCall(state, isReading, signal);
    if ('error' in prepared) throw prepared.error;
    const { record, options, body, path: pathValues, query } = prepared.call;
    warnIfDeprecated(record, state, settings);
    if (hasBatchEnded) throw endedBatch(state);
    refuseAuthorization(options.headers, state, settings);
    const limits = readLimits(options, settings);
    const repeatable = isRepeatable(method, record);
    deadline = new Deadline(limits.timeout, state, signal, limits.attemptTimeout);
    const sending = { settings, deadline, authorizer, state, repeatable, anonymous: record.anonymous, ...limits };
    const written = {
      record,
      method,
      template: path,
      path: pathValues,
      query,
      baseUrl: settings.address() + (record.base ?? base),
      body: typeof body === 'object' ? await deadline.race(readBodyFiles(body, { method, path })) : body,
      headers: options.headers,
    };
    const result = readResult(await request(openapi, written, sending), record, state, settings);
    if (result.error) state.fail(result.error);
    else state.succeed();
    return result;
  } catch (error) {
    state.fail(error, error === signal?.reason);
    throw error;
  } finally {
    deadline?.end();
    tellEnd(state, settings);
  }
}

/** Whether a call can safely be sent twice. */
function isRepeatable(method: string, record: OperationRecord): boolean {
  return method === 'PUT' || method === 'DELETE' || changesNoRecord(record);
}

/** Warns once for each operation. */
function warnIfDeprecated({ id, deprecated }: OperationRecord, state: CallState, settings: Settings): void {
  if (!deprecated || settings.warned.has(id)) return;
  settings.warned.add(id);
  settings.logger.warn(`carillon: ${state.label} is deprecated`, { operationId: id });
}

function endedBatch({ label }: CallState): ArgumentError {
  return new ArgumentError(
    `${label}: its batch has ended as not-done; pass the batch's signal, or start a queue outside of batches; nothing was sent`,
  );
}

/** @throws {@link ArgumentError} if the client has a credential and the call sets another one */
function refuseAuthorization(headers: CallOptions['headers'], state: CallState, settings: Settings): void {
  if (settings.hasCredential && namesAuthorization(headers))
    throw new ArgumentError(`${state.label}: ${authorizationAdvice}; nothing was sent`);
}
