import type { CallState } from './call-state.ts';
import { tryFields, tryLine } from './debug-log.ts';
import type { Sent } from './errors/base.ts';
import type { HookStart } from './hooks.ts';
import { nodeModule } from './node-module.ts';
import type { Logger } from './options.ts';

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
  /** Address of the service. If `baseUrl` is a path, this is the path for a call, and the full address for its tries. */
  readonly baseUrl: string;
  /** HTTP status of the answer to the last try. `undefined` if there was no answer. */
  status: number | undefined;
  /** Number of requests sent. */
  tries: number;
  /** Whether any try so far may have been processed. */
  sent?: Sent;
  /** Whether the last try may have been processed. */
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
 * Message of the tracing channel `carillon:try` about one request of a call and its answer.
 *
 * @example
 * ```ts
 * import { tracingChannel } from 'node:diagnostics_channel';
 * import type { TryMessage } from 'carillon';
 *
 * tracingChannel<unknown, TryMessage>('carillon:try').start.subscribe((message) => console.log(message));
 * ```
 */
export interface TryMessage extends CallMessage {
  /** Wait before this try, in milliseconds. */
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

export const callChannel = /* @__PURE__ */ open('call');
export const tryChannel = /* @__PURE__ */ open('try');

/**
 * Runs a call or a try, and reports it to the subscribers of its channel and, for a try, to `logger.debug`.
 *
 * @param run - called with the headers that subscribers add to a try
 * @param wait - milliseconds that the call waited before the try
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
    ...(wait !== undefined && { wait, headers }),
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
      debug?.(tryLine(state, duration, wait), tryFields(state, duration));
    }
    if (state.error) channel?.error.publish(message);
  };
  return (isTraced ? channel.tracePromise(watched, message) : watched()).then(() => result);
}
