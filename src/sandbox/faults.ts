import type { FaultMatch } from './fault-match.ts';
import { emptyReply, jsonReply, type PlainReply } from './http.ts';
import type { OperationId } from './operation-ids.ts';

/**
 * The sandbox's `fetch` rejects with this error if a fault drops the connection. A real `fetch` rejects with a
 * `TypeError`.
 */
export class DroppedConnection extends TypeError {
  /** Always `DroppedConnection`. */
  override readonly name = 'DroppedConnection';
}

/** A fault that replaces or delays replies. Set at least one of `status`, `delay` and `drop`. */
export interface Fault {
  /** `operationId` of the operation that fails (default: any operation). */
  operation?: OperationId | undefined;
  /** Conditions on path values, body and headers of a request (default: none). */
  match?: FaultMatch | undefined;
  /**
   * Starts with this matching request: `3` lets two of them pass.
   * @default 1
   */
  nth?: number | undefined;
  /**
   * How many requests get this fault: an integer above 0, or `'always'` until it is removed.
   * @default 1
   */
  times?: number | 'always' | undefined;
  /**
   * Probability that a matching request gets the fault: above 0, and 1 at most. The same `randomSeed` gives the same
   * sequence.
   * @default 1
   */
  probability?: number | undefined;
  /**
   * An integer that determines which requests get a fault with a `probability`.
   * @default 1
   */
  randomSeed?: number | undefined;
  /** Replies with this HTTP status, 200 to 599, without running the operation. */
  status?: number | undefined;
  /** Body of that reply, sent as JSON. Requires a `status` that permits a body. */
  body?: unknown | undefined;
  /** Headers of that reply, such as `Retry-After`. */
  headers?: Record<string, string> | undefined;
  /** Delay before the reply, in milliseconds of real time; one hour at most. */
  delay?: number | undefined;
  /**
   * Drops the connection `before` or `after` the request is processed. With `after`, only the reply is lost.
   */
  drop?: 'before' | 'after' | undefined;
}

/** A fault in the list of a sandbox. */
export interface ListedFault extends Fault {
  /** Number of the fault, for `remove`. */
  id: number;
  /** How many requests will still get the fault. */
  times: number | 'always';
  /** How many requests have matched so far, with those that `nth` or `probability` let pass. */
  seen: number;
}

/**
 * Faults for the next requests.
 *
 * @example
 * ```ts
 * import { createSandbox } from 'carillon-sandbox';
 *
 * const sandbox = createSandbox();
 * sandbox.faults.add({ operation: 'getDeal', status: 503, headers: { 'retry-after': '0' }, times: 2 });
 * const id = sandbox.faults.add({ operation: 'updateDeal', match: { path: { dealId: 501 } }, drop: 'after' });
 * sandbox.faults.add({ probability: 0.1, status: 500, times: 'always' });
 * console.log(sandbox.faults.remove(id), sandbox.faults.list().length);
 * ```
 */
export interface Faults {
  /**
   * Adds a fault. Each request gets the first fault that matches it. There can be 100 faults.
   *
   * @param fault - what happens, to which requests and how often
   * @returns the number of the fault, for `remove`
   * @throws `RangeError` if the fault is invalid or too large, if the operation does not exist, or if there are too many
   * faults
   */
  add(fault: Fault): number;
  /**
   * Removes a fault.
   *
   * @param id - its number, from `add` or `list`
   * @returns whether the fault was still in the list
   */
  remove(id: number): boolean;
  /** Removes all faults. */
  clear(): void;
  /**
   * Lists the remaining faults.
   *
   * @returns copies in order of use
   */
  list(): ListedFault[];
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
