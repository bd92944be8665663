import { emptyReply, jsonReply, type PlainReply } from './http.ts';

/**
 * The sandbox's `fetch` rejects with this error if a fault drops the connection. A real `fetch` rejects with a
 * `TypeError`.
 */
export class DroppedConnection extends TypeError {
  /** Always `DroppedConnection`. */
  override readonly name = 'DroppedConnection';
}

/** A fault that replaces or delays a reply. Set at least one of `status`, `delay` and `drop`. */
export interface Fault {
  /** `operationId` of the operation that fails (default: any operation). */
  operation?: string;
  /** Replies with this HTTP status, 200 to 599, without running the operation. */
  status?: number;
  /** Body of that reply, sent as JSON. Requires a `status` that permits a body. */
  body?: unknown;
  /** Headers of that reply, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** Delay before the reply, in milliseconds of real time; 24 days at most. */
  delay?: number;
  /**
   * Drops the connection `before` or `after` the request is processed. With `after`, only the reply is lost.
   */
  drop?: 'before' | 'after';
  /**
   * How many requests get this fault: an integer above 0.
   * @default 1
   */
  times?: number;
}

/**
 * Faults for the next requests.
 *
 * @example
 * ```ts
 * import { createSandbox } from 'carillon/sandbox';
 *
 * const sandbox = createSandbox();
 * sandbox.faults.add({ operation: 'getDeal', status: 503, headers: { 'retry-after': '0' }, times: 2 });
 * sandbox.faults.add({ operation: 'createDeal', drop: 'after' });
 * console.log(sandbox.faults.list().length);
 * ```
 */
export interface Faults {
  /**
   * Adds a fault. Each request gets the first fault that matches its operation.
   *
   * @param fault - what happens, to which operation and how often
   * @throws `RangeError` if the fault is invalid or the operation does not exist
   */
  add(fault: Fault): void;
  /** Removes all faults. */
  clear(): void;
  /**
   * Lists the remaining faults.
   *
   * @returns copies in order of use; `times` is the number of requests that will still get the fault
   */
  list(): Fault[];
}

/** The longest delay that timers support: 24 days. */
const longestDelay = 2 ** 31 - 1;
const bodiless = [204, 205, 304];

export class FaultList implements Faults {
  #faults: (Fault & { times: number })[] = [];
  readonly #operationIds: ReadonlySet<string>;

  /** @param operationIds - the operations that a fault can name */
  constructor(operationIds: ReadonlySet<string>) {
    this.#operationIds = operationIds;
  }

  add(fault: Fault): void {
    const { operation, times = 1, status, body, headers, delay, drop } = fault;
    if (operation !== undefined && !this.#operationIds.has(operation))
      throw new RangeError(
        `There is no operation '${operation}': give an operationId of the specs, such as createDeal`,
      );
    if (status === undefined && delay === undefined && drop === undefined)
      throw new RangeError('A fault has a status, a delay or a drop');
    if (!Number.isInteger(times) || times < 1) throw new RangeError('times is a whole number above 0');
    if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599))
      throw new RangeError('status is an HTTP status from 200 to 599');
    if (body !== undefined && (status === undefined || bodiless.includes(status)))
      throw new RangeError('body goes with a status, and with one that has a body');
    if (delay !== undefined && !(delay >= 0 && delay <= longestDelay))
      throw new RangeError(`delay is a number of milliseconds, ${longestDelay} at most`);
    if (drop !== undefined && drop !== 'before' && drop !== 'after')
      throw new RangeError("drop is 'before' or 'after'");
    new Headers(headers); // throws if a name or value is not valid in a header
    this.#faults.push({ ...fault, times });
  }

  clear(): void {
    this.#faults = [];
  }

  list(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }));
  }

  /** Returns the fault for a request, and reduces its remaining uses by one. */
  take(operation: string): Fault | undefined {
    const index = this.#faults.findIndex((fault) => fault.operation === undefined || fault.operation === operation);
    const fault = this.#faults[index];
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times === 0) this.#faults.splice(index, 1);
    return fault;
  }
}

/** The reply that a fault returns instead of the operation. */
export function faultReply(status: number, body: unknown, headers: Record<string, string> = {}): PlainReply {
  const named = Object.fromEntries(new Headers(headers));
  return body === undefined ? emptyReply(status, named) : jsonReply(status, body, named);
}

/** Waits. Rejects with the signal's reason when the signal aborts. */
export function wait(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
