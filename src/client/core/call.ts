import type { Call, CallOptions, Sent } from '../../shared/call-types.ts';
import { changesNoRecord, keyOf, type OperationRecord } from '../../shared/operation.ts';
import type { Authorizer } from './authorizer.ts';
import { CallState } from './call-state.ts';
import { Deadline } from './deadline.ts';
import { inspect } from './errors/base.ts';
import { ArgumentError } from './errors/local-errors.ts';
import { tellEnd, tellStart } from './observe.ts';
import { createOpenapiClient, type OpenapiClient } from './openapi.ts';
import { type Called, type Prepared, readBodyFiles } from './prepare.ts';
import { type PathResult, readResult } from './read.ts';
import { send } from './send.ts';
import { authorizationAdvice, type ClientSettings, namesAuthorization, readLimits } from './settings.ts';

/**
 * Data that all calls of one spec share.
 *
 * @internal
 */
export interface ProductContext {
  /** Base path of operations that do not have a base path of their own. */
  readonly base: string;
  readonly settings: ClientSettings;
  readonly authorizer: Authorizer;
  readonly openapi: OpenapiClient;
}

/** @internal */
export function createProductContext(base: string, settings: ClientSettings, authorizer: Authorizer): ProductContext {
  return { base, settings, authorizer, openapi: createOpenapiClient(settings.headers) };
}

/**
 * Key of a call's state. A symbol, so that JSON and `Object.keys` omit the state.
 *
 * @internal
 */
export const stateKey = Symbol('state');

/**
 * A method call that has started: a native promise of the payload. JavaScript engines include the line with the `await` in the
 * stack trace of an error only for a native promise, not for other objects with a `then` method.
 *
 * @internal
 */
export interface PendingCall<Data, Meta> extends Call<Data, Meta> {
  readonly [stateKey]: CallState;
}

type Started = Promise<unknown> & { readonly [stateKey]: CallState };

const pathMembers: PropertyDescriptorMap & ThisType<Started> = {
  [Symbol.toStringTag]: { value: 'Call' },
  sent: {
    get() {
      return this[stateKey].sent;
    },
  },
  // For Node's `console.log`.
  [inspect]: {
    value() {
      return `Call { ${this[stateKey].operation}: use await to get the result }`;
    },
  },
};

const methodMembers: PropertyDescriptorMap & ThisType<Started> = {
  withResponse: {
    // Derive this promise on request only, because an unused one would cause an unhandled rejection.
    async value() {
      await this;
      const { data, meta, response } = this[stateKey].result ?? {};
      return { data, meta, response };
    },
  },
};

// Prototypes, because defining the properties on each call would take ten times as long.
const pathCall = /* @__PURE__ */ Object.create(Promise.prototype, pathMembers);
const methodCall = /* @__PURE__ */ Object.create(pathCall, methodMembers);

/**
 * Starts a call made by HTTP method and path. Failures that the service reports are part of the result.
 *
 * @internal
 */
export function startCall(
  product: ProductContext,
  operation: Called,
  prepared: Prepared,
): Promise<PathResult<unknown, unknown>> & { readonly sent: Sent } {
  const state = createState(operation);
  const made = runCall(product, operation, prepared, state);
  return Object.setPrototypeOf(Object.assign(made, { [stateKey]: state }), pathCall);
}

/**
 * Starts a call made through a method. The call rejects if the service reports a failure.
 *
 * @internal
 */
export function startMethod<Data, Meta>(
  product: ProductContext,
  operation: Called,
  prepared: Prepared,
): PendingCall<Data, Meta> {
  const state = createState(operation);
  return toMethodCall(runMethod(product, operation, prepared, state), state);
}

/**
 * Adds the members of a method call to the promise of its payload. The types of the payload come from the spec. Responses are
 * validated only on request.
 *
 * @internal
 */
export function toMethodCall<Data, Meta>(made: Promise<unknown>, state: CallState): PendingCall<Data, Meta> {
  return Object.setPrototypeOf(Object.assign(made, { [stateKey]: state }), methodCall);
}

function createState(operation: Called): CallState {
  const { method, record } = operation;
  // An unknown path is not a template and can contain an ID.
  return new CallState(record?.id ?? method, record ? keyOf(operation) : method);
}

async function runCall(
  { base, settings, authorizer, openapi }: ProductContext,
  { method, path }: Called,
  prepared: Prepared,
  state: CallState,
): Promise<PathResult<unknown, unknown>> {
  const signal = 'call' in prepared ? prepared.call.options.signal : undefined;
  let deadline: Deadline | undefined;
  tellStart(state, settings);
  try {
    if ('error' in prepared) throw prepared.error;
    const { record, options, body, path: values, query } = prepared.call;
    warnIfDeprecated(record, state, settings);
    checkAuthorization(options.headers, state, settings);
    const limits = readLimits(options, settings);
    deadline = new Deadline(limits.timeout, state, signal, limits.attemptTimeout);
    const outgoing = {
      method,
      path,
      params: { path: values, query },
      baseUrl: settings.address() + (record.base ?? base),
      body: typeof body === 'object' ? await deadline.race(readBodyFiles(body, { method, path })) : body,
      headers: options.headers,
    };
    const repeatable = isRepeatable(method, record);
    const { anonymous } = record;
    const sending = { openapi, settings, deadline, authorizer, state, repeatable, anonymous, ...limits };
    const result = readResult(await send(outgoing, sending), record, state, settings);
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

/** Runs a method call. Returns only its payload, and keeps metadata and response for `withResponse`. */
async function runMethod(
  product: ProductContext,
  operation: Called,
  prepared: Prepared,
  state: CallState,
): Promise<unknown> {
  const result = await runCall(product, operation, prepared, state);
  if (result.error) throw result.error;
  state.result = result;
  return result.data;
}

/** Whether a call can safely be sent twice. */
function isRepeatable(method: string, record: OperationRecord): boolean {
  return method === 'PUT' || method === 'DELETE' || changesNoRecord(record);
}

/** Logs a warning for a deprecated operation, once for each operation. */
function warnIfDeprecated({ id, deprecated }: OperationRecord, state: CallState, settings: ClientSettings): void {
  if (!deprecated || settings.warned.has(id)) return;
  settings.warned.add(id);
  settings.logger.warn(`carillon: ${state.label} is deprecated`, { operationId: id });
}

/** @throws {@link ArgumentError} if the client has a credential and the call sets the `authorization` header */
function checkAuthorization(headers: CallOptions['headers'], state: CallState, settings: ClientSettings): void {
  if (settings.hasCredential && namesAuthorization(headers))
    throw new ArgumentError(`${state.label}: ${authorizationAdvice}; nothing was sent`);
}
