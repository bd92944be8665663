import { type CallDetails, CarillonError, hide, type Sent } from './errors/base.ts';

/** As much as is known of a call. */
export type KnownDetails = { readonly [Name in keyof CallDetails]?: CallDetails[Name] | undefined };

let lastCallId = 0;

/** One call from start to end: the only place that knows whether any of its tries may have been processed. */
export class CallState implements KnownDetails {
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
  /** A try was answered. Whatever the answer was, only an assumption says that the try was not processed. */
  #isAnswered = false;
  /** Private, so that no copy for observers has it. */
  #url: string | undefined;
  #progress: 'under way' | 'done' | 'failed' = 'under way';

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

  /** The requested address without its query, which errors keep. */
  get url(): string | undefined {
    return this.#url?.split('?')[0];
  }

  set url(address: string) {
    this.#url = address;
  }

  /** Whether the call has ended with its error, which can be anything. */
  get hasFailed(): boolean {
    return this.#progress === 'failed';
  }

  /** As messages name the call. */
  get label(): string {
    return `${this.operation} (${this.operationId})`;
  }

  get sent(): Sent {
    const isUnproven = this.#isAnswered && this.current === 'no';
    return this.#isOpen || isUnproven ? 'maybe' : this.current;
  }

  /** The try under way is answered. */
  answer(status: number): void {
    this.current = 'yes';
    this.status = status;
    this.#isAnswered = true;
  }

  /** Counts the requests that the platform, or a wrapper of `fetch`, sent in the place of one: the answer is of the last. */
  noteCopies(copies: number): void {
    if (copies < 2) return;
    this.tries += copies - 1;
    this.#isOpen = true;
  }

  get isUnderWay(): boolean {
    return this.#progress === 'under way';
  }

  /** Whether the call ended with this error. */
  failedWith(error: unknown): boolean {
    return this.#progress === 'failed' && this.error === error;
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
    this.#progress = isDone ? 'done' : 'failed';
    if (isDone) {
      this.#isOpen = false;
      this.current = 'yes';
    } else if (isOwn && error instanceof CarillonError && error.tries === undefined) identify(error, this);
  }
}

/** Lets an error name a call. */
export function identify<Found extends CarillonError>(error: Found, call: KnownDetails): Found {
  const { operationId, method, path, tries, sent, callId, url } = call;
  // An address can hold a name or an address of a person.
  hide(error, 'url', url);
  return Object.assign(error, { operationId, method, path, tries, sent, callId });
}
