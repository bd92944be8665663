import { type CallDetails, CarillonError, type Sent } from './errors/base.ts';
import type { HookCall } from './hooks.ts';

/** Where `runInBatches` keeps, on the signal of a batch, the calls that were made with it. */
const callsKey = /* @__PURE__ */ Symbol.for('carillon.calls');

let lastCallId = 0;

/** One call from start to end: the only place that knows whether any of its tries may have been processed. */
export class CallState implements HookCall {
  readonly callId: number = ++lastCallId;
  declare readonly operationId: string;
  declare readonly operation: string;
  tries = 0;
  /** How far the try under way has come. */
  current: Sent = 'no';
  /** HTTP status of the try under way, once it is answered. */
  status: number | undefined;
  error: unknown;
  /** A try before this one may have been processed. No later try takes that back. */
  #isOpen = false;

  /** @param operation - method and path template */
  constructor(operationId: string, operation: string) {
    this.operationId = operationId;
    this.operation = operation;
  }

  get method(): string | undefined {
    return this.operation.split(' ')[0];
  }

  get path(): string | undefined {
    return this.operation.split(' ')[1];
  }

  /** As messages name the call. */
  get label(): string {
    return `${this.operation} (${this.operationId})`;
  }

  get sent(): Sent {
    return this.#isOpen ? 'maybe' : this.current;
  }

  /** Ends a try that another one follows. */
  next(mayBeProcessed: boolean): void {
    this.#isOpen ||= mayBeProcessed;
    this.current = 'no';
  }

  /**
   * Ends the call. A `CarillonError` then names the call, unless it already names one.
   *
   * @param isDone - an abort can have any reason, and a hook can throw anything: also `null` and `undefined`
   */
  end(error: unknown, isOwn = true, isDone = error === undefined): void {
    this.error = error;
    if (isDone) {
      this.#isOpen = false;
      this.current = 'yes';
    } else if (isOwn && error instanceof CarillonError && error.tries === undefined) identify(error, this);
  }
}

/** Lets an error name a call. */
export function identify<Found extends CarillonError>(error: Found, call: Partial<CallDetails>): Found {
  const { operationId, method, path, tries, sent } = call;
  return Object.assign(error, { operationId, method, path, tries, sent });
}

/** Adds a call with an effect to those of its signal, if a batch made the signal. */
export function noteCall(state: CallState, signal: AbortSignal): void {
  const calls: unknown = Reflect.get(signal, callsKey);
  if (Array.isArray(calls)) calls.push(state);
}

/** The calls that are made with a signal from now on. */
export function collectCalls(signal: AbortSignal): Pick<CallState, 'sent' | 'error'>[] {
  const calls: CallState[] = [];
  Object.defineProperty(signal, callsKey, { value: calls });
  return calls;
}
