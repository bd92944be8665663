import type { Sent } from '../../shared/call-types.ts';
import type { CallState } from './call-state.ts';
import { CarillonError } from './errors/base.ts';
import type { HookStart } from './hooks.ts';
import { nodeModule } from './node-module.ts';
import type { LogFields, Logger } from './options.ts';

/**
 * Message of the tracing channel `carillon:call` about a call. It does not contain the body, the credential or the filled path.
 * The events are those of Node's `tracePromise`. `error` also reports a failure that a call by path returns.
 *
 * @example
 * ```ts
 * import { tracingChannel } from 'node:diagnostics_channel';
 * import type { CallMessage } from 'carillon';
 *
 * tracingChannel<unknown, CallMessage>('carillon:call').asyncEnd.subscribe((message) => console.log(message));
 * ```
 */
export interface CallMessage extends HookStart {
  /** Address of the service. If `baseUrl` is a path, this is the path for a call, and the full address for its attempts. */
  readonly baseUrl: string;
  /** HTTP status of the response to the last attempt. `undefined` if there was no response. */
  status: number | undefined;
  /** Number of requests sent. */
  attempts: number;
  /** Whether any attempt so far may have been processed. */
  sent?: Sent;
  /** Whether the last attempt may have been processed. */
  current: Sent;
  /** Error of the call, set from the event `error` on. Its message and cause can repeat text from the service. */
  error?: unknown;
  /**
   * Runs the traced operation. A subscriber of `start` can replace it, to run the call in a context other than an
   * `AsyncLocalStorage`. The replacement must call the previous function once, synchronously, and return its result.
   */
  within<Result>(run: () => Result): Result;
}

/**
 * Message of the tracing channel `carillon:attempt` about one request of a call and its response.
 *
 * @example
 * ```ts
 * import { tracingChannel } from 'node:diagnostics_channel';
 * import type { AttemptMessage } from 'carillon';
 *
 * tracingChannel<unknown, AttemptMessage>('carillon:attempt').start.subscribe((message) => console.log(message));
 * ```
 */
export interface AttemptMessage extends CallMessage {
  /** Number of the attempt: 1 for the first request of the call, and 1 more for each further one. */
  readonly attempt: number;
  /** Wait before this attempt, in milliseconds. */
  readonly wait: number;
  /** Initially empty. Headers that a subscriber of `start` adds are sent with the request, under lower-case names. */
  readonly headers: Record<string, string>;
}

interface Channel {
  readonly hasSubscribers: boolean;
  readonly error: { publish(message: object): void };
  tracePromise(run: () => Promise<void>, message: object): Promise<void>;
  subscribe(subscribers: object): void;
  unsubscribe(subscribers: object): void;
}

/** Opens a tracing channel. `undefined` on platforms without them. */
function open(name: string): Channel | undefined {
  return nodeModule('node:diagnostics_channel')?.tracingChannel?.(`carillon:${name}`) as Channel | undefined;
}

/** @internal */
export const callChannel = /* @__PURE__ */ open('call');
/** @internal */
export const attemptChannel = /* @__PURE__ */ open('attempt');

/**
 * Runs a call or an attempt, and reports it to the subscribers of its channel and, for an attempt, to `logger.debug`.
 *
 * @param run - called with the headers that subscribers add to an attempt
 * @param wait - milliseconds that the call waited before the attempt
 *
 * @internal
 */
export function watch<Result>(
  channel: Channel | undefined,
  state: CallState,
  baseUrl: string,
  run: (headers?: Record<string, string>) => Promise<Result>,
  wait?: number,
  debug?: Logger['debug'],
): Promise<Result> {
  const isTraced = channel?.hasSubscribers;
  if (!isTraced && !debug) return run();
  const headers = {};
  const message: CallMessage = {
    ...state,
    baseUrl,
    within: (start) => start(),
    ...(wait !== undefined && { attempt: state.attempts + 1, wait, headers }),
  };
  const started = performance.now();
  let result: Result;
  // Returns no value, because Node would add it to the message.
  const watched = async () => {
    try {
      result = await message.within(() => run(headers));
    } catch (error) {
      state.error = error;
      throw error;
    } finally {
      Object.assign(message, state, { sent: state.sent });
      const duration = performance.now() - started;
      debug?.(attemptLine(state, duration, wait), attemptFields(state, duration));
    }
    if (state.error) channel?.error.publish(message);
  };
  return (isTraced ? channel.tracePromise(watched, message) : watched()).then(() => result);
}

/**
 * Default logger of a client. `CARILLON_LOG=debug` adds a line for each attempt.
 *
 * @internal
 */
export function consoleLogger(): Logger {
  const warn = (message: string): void => console.warn(message);
  try {
    if (Reflect.get(globalThis, 'process').env.CARILLON_LOG === 'debug') return { warn, debug: warn };
  } catch {
    // There is no environment, or no permission to read it, as in Deno.
  }
  return { warn };
}

/**
 * Log line of an attempt. It contains only the operation, numbers and the names of our own errors, and therefore no credentials.
 *
 * @internal
 */
function attemptLine({ label, status, attempts, error }: CallState, duration: number, wait = 0): string {
  const outcome = error instanceof CarillonError ? error.name : (status ?? 'no answer');
  return `carillon: ${label}: ${outcome} in ${duration.toFixed()} ms, attempt ${attempts}, wait ${wait.toFixed()} ms`;
}

/**
 * The same data as fields.
 *
 * @internal
 */
function attemptFields({ operationId, status, attempts }: CallState, duration: number): LogFields {
  return {
    operationId,
    ...(status !== undefined && { status }),
    milliseconds: Math.round(duration),
    attempt: attempts,
  };
}
