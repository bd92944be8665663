import { emptyResponse, jsonResponse, type PlainResponse } from '../http/request-and-response.ts';
import type { OperationId } from '../rules/operation-ids.ts';
import type { FaultMatch } from './fault-match.ts';

/** Delay of a response in milliseconds of real time, one hour at most. */
export type FaultDelay =
  | number
  | {
      /** Shortest delay. */
      min: number;
      /** Longest delay. All delays in between are equally likely. */
      max: number;
    };

/** A fault that replaces, delays or drops responses. Set at least one of `status`, `delay`, `slowBody` and `drop`. */
export interface Fault {
  /** `operationId` of the operation that fails (default: any operation). */
  operation?: OperationId | undefined;
  /** Conditions on a request (default: none). */
  match?: FaultMatch | undefined;
  /**
   * Number of the first matching request that gets the fault. `3` lets two requests pass.
   * @default 1
   */
  nth?: number | undefined;
  /**
   * Number of requests that get the fault, an integer above 0, or `'always'` until you remove it.
   * @default 1
   */
  times?: number | 'always' | undefined;
  /**
   * Probability that a matching request gets the fault, above 0 and at most 1. The same `randomSeed` gives the same
   * sequence.
   * @default 1
   */
  probability?: number | undefined;
  /**
   * An integer that determines which requests get a fault with a `probability`, and the length of a random `delay`. Without it,
   * the place of the fault in the list, so that two faults do not strike together.
   */
  randomSeed?: number | undefined;
  /** Responds with this HTTP status, 200 to 599, without running the operation. */
  status?: number | undefined;
  /** Headers of that response, such as `Retry-After`. */
  headers?: Record<string, string> | undefined;
  /** Body of that response, sent as JSON. Requires a `status` that permits a body. */
  body?: unknown | undefined;
  /**
   * Raw body of that response, such as a gateway's HTML or truncated JSON. Its type is `text/html` if it begins with `<`, and
   * otherwise `application/json`, unless `headers` sets the type. Requires a `status` that permits a body.
   */
  text?: string | undefined;
  /** Delay of the response. */
  delay?: FaultDelay | undefined;
  /**
   * Whether the `delay` is before or after the operation. If the caller leaves during it, `after` has changed the data, as a slow
   * service has, and `before` has not.
   * @default 'after'
   */
  delayAt?: 'before' | 'after' | undefined;
  /** Milliseconds over which the body of the response arrives, in ten parts; one hour at most. */
  slowBody?: number | undefined;
  /**
   * Resets the connection at one of these points:
   *
   * - `before`: before the request is processed.
   * - `after`: after the request is processed, so that only the response is lost.
   * - `during-body`: after half of the body of the response.
   * - `after-body`: after the complete response, at the next request on the same connection. It has no effect in
   *   `sandbox.fetch`, which has no
   *   connections.
   */
  drop?: 'before' | 'after' | 'during-body' | 'after-body' | undefined;
}

/** A fault in the list of a sandbox. */
export interface ListedFault extends Fault {
  /** Number of the fault, for `remove`. */
  id: number;
  /** Number of requests that will still get the fault. */
  times: number | 'always';
  /** Number of requests that have matched so far, including those that `nth` or `probability` let pass. */
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
 * const id = sandbox.faults.add({ operation: 'updateDeal', match: { parameters: { dealId: 501 } }, drop: 'after' });
 * sandbox.faults.add({ probability: 0.1, status: 500, times: 'always' });
 * console.log(sandbox.faults.remove(id), sandbox.faults.list().length);
 * ```
 */
export interface Faults {
  /**
   * Adds a fault. Each request gets the first fault that matches it. There can be 100 faults.
   *
   * @param fault - effect, conditions and number of uses
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

/** The response that a fault returns instead of the operation. */
export function faultResponse({ body, text, headers = {} }: Fault, status: number): PlainResponse {
  const named = Object.fromEntries(new Headers(headers));
  if (text !== undefined) {
    const type = text.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'application/json';
    return { status, headers: { 'content-type': type, ...named }, text };
  }
  return body === undefined ? emptyResponse(status, named) : jsonResponse(status, body, named);
}
