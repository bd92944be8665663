import { type CallDetails, CarillonError, type Sent } from './errors/base.ts';
import type { CalledOperation } from './operation.ts';

/** Where `runInBatches` keeps, on the signal of a batch, the calls that were made with it. */
const callsKey = Symbol.for('carillon.calls');

/** One call from start to end: the only place that knows whether any of its tries may have been processed. */
export class CallState {
  readonly operation: CalledOperation;
  /** Requests that were sent, replays included. */
  tries = 0;
  /** How far the try under way has come. */
  current: Sent = 'no';
  /** What the call ended with, unless it succeeded. */
  error: unknown;
  /** A try before this one may have been processed. No later try takes that back. */
  #isOpen = false;

  constructor(operation: CalledOperation) {
    this.operation = operation;
  }

  /** What is known over all tries. */
  get sent(): Sent {
    return this.#isOpen ? 'maybe' : this.current;
  }

  /** Ends a try that another one follows. */
  next(mayBeProcessed: boolean): void {
    this.#isOpen ||= mayBeProcessed;
    this.current = 'no';
  }

  succeed(): void {
    this.#isOpen = false;
    this.current = 'yes';
  }

  /** Ends the call with an error. One of ours then names the call, unless it names one already. */
  fail(error: unknown): void {
    this.error = error;
    if (!(error instanceof CarillonError) || error.tries !== undefined) return;
    const { tries, sent, operation } = this;
    const [method = '', path = ''] = operation.key.split(' ');
    const details: CallDetails = { operationId: operation.id, method, path, tries, sent };
    Object.assign(error, details);
  }
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
