import { emptyReply, jsonReply, type PlainReply } from './http.ts';

/** Thrown by the sandbox's `fetch` if a fault drops the connection, as a real `fetch` throws a `TypeError`. */
export class DroppedConnection extends TypeError {
  /** Always `DroppedConnection`. */
  override readonly name = 'DroppedConnection';
}

/** A fault to answer with instead of the operation, or before it: it has a `status`, a `delay` or a `drop`. */
export interface Fault {
  /** `operationId` of the operation that fails; every operation where it is not given. */
  operation?: string;
  /** Answers with this HTTP status, 200 to 599, and does nothing. */
  status?: number;
  /** Body of that answer, written as JSON. It goes with a `status` that has a body. */
  body?: unknown;
  /** Headers of that answer, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** Waits this many milliseconds of real time before it answers, 24 days at most. */
  delay?: number;
  /**
   * Loses the connection: `before` the request is processed, or `after` (it is processed, and the answer is lost).
   */
  drop?: 'before' | 'after';
  /**
   * How often: a whole number above 0.
   * @default 1
   */
  times?: number;
}

/**
 * The faults that are waiting for their requests.
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
   * Adds a fault; the first that fits a request is used.
   *
   * @param fault - what happens, to which operation and how often
   * @throws `RangeError` for a fault that cannot work, and for an operation that there is not
   */
  add(fault: Fault): void;
  /** Takes all faults away. */
  clear(): void;
  /**
   * The faults that are left.
   *
   * @returns copies, in the order of their use; `times` is how often each will still happen
   */
  list(): Fault[];
}

/** The longest that timers wait: 24 days. */
const longestDelay = 2 ** 31 - 1;
const bodiless = [204, 205, 304];

export class FaultList implements Faults {
  #faults: (Fault & { times: number })[] = [];
  readonly #operationIds: ReadonlySet<string>;

  /** @param operationIds - those that a fault can name */
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
    new Headers(headers); // throws for what no header can hold
    this.#faults.push({ ...fault, times });
  }

  clear(): void {
    this.#faults = [];
  }

  list(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }));
  }

  /** The fault for a request, used up by one. */
  take(operation: string): Fault | undefined {
    const index = this.#faults.findIndex((fault) => fault.operation === undefined || fault.operation === operation);
    const fault = this.#faults[index];
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times === 0) this.#faults.splice(index, 1);
    return fault;
  }
}

/** The answer that a fault gives in place of the operation. */
export function faultReply(status: number, body: unknown, headers: Record<string, string> = {}): PlainReply {
  const named = Object.fromEntries(new Headers(headers));
  return body === undefined ? emptyReply(status, named) : jsonReply(status, body, named);
}

/** Waits, or rejects once the signal aborts. */
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
