import type { CallState } from './call-state.ts';
import { tryFields, tryLine } from './debug-log.ts';
import type { Sent } from './errors/base.ts';
import type { HookStart } from './hooks.ts';
import { nodeModule } from './node-module.ts';
import type { Logger } from './options.ts';

/**
 * What the tracing channel `carillon:call` reports about a call. It contains no body, no credential and no filled path. The events are
 * those of Node's `tracePromise`. `error` also reports a failure that a call by path returns.
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
  /** Address of the service. Of a call whose `baseUrl` is a path, that path; its tries have the address. */
  readonly baseUrl: string;
  /** HTTP status of the last answer. `undefined` if the last try got none. */
  status: number | undefined;
  /** Number of requests that were sent. */
  tries: number;
  /** Whether the call may have been processed, over all its tries so far. */
  sent?: Sent;
  /** Whether the last try alone may have been processed. */
  current: Sent;
  /** What it failed with, from `error` on. Its message and its cause can repeat what the service said. */
  error?: unknown;
  /**
   * Runs what is traced. A subscriber of `start` can replace it, to run the call in a context that is no `AsyncLocalStorage`:
   * the replacement calls the one before it, once and at once, and returns what that returns.
   */
  within<Result>(run: () => Result): Result;
}

/**
 * What the tracing channel `carillon:try` reports about one request of a call and its answer.
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
  /** Milliseconds that the call waited before this try. */
  readonly wait: number;
  /** Empty. What a subscriber of `start` adds is sent with the request, under names in lower case. */
  readonly headers: Record<string, string>;
}

interface Channel {
  readonly hasSubscribers: boolean;
  readonly error: { publish(message: object): void };
  tracePromise(run: () => Promise<void>, message: object): Promise<void>;
  subscribe(subscribers: object): void;
  unsubscribe(subscribers: object): void;
}

/** `undefined` where there are no tracing channels. */
function open(name: string): Channel | undefined {
  return nodeModule('node:diagnostics_channel')?.tracingChannel?.(`carillon:${name}`) as Channel | undefined;
}

export const callChannel = /* @__PURE__ */ open('call');
export const tryChannel = /* @__PURE__ */ open('try');

/**
 * Runs a call or a try for those who watch: the subscribers of its channel, and `logger.debug` for a try.
 *
 * @param run - receives the headers that subscribers add to a try
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
  // Gives nothing, since Node adds what it gives to the message.
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
