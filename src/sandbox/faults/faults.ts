import type { OperationId } from '../../../generated/types.ts';
import { emptyResponse, jsonResponse, type PlainResponse } from '../http/request-and-response.ts';
import type { FaultMatch } from './fault-match.ts';

/** Delay of a response in milliseconds of real time, at most one hour. */
export type FaultDelay =
  | number
  | {
      /** Shortest delay. */
      min: number;
      /** Longest delay. All delays from `min` to `max` are equally likely. */
      max: number;
    };

/** A fault that replaces, delays or drops responses. Set at least one of `status`, `delay`, `slowBody` and `drop`. */
export interface Fault {
  /** `operationId` of the operation that fails (default: any operation). */
  operation?: OperationId | undefined;
  /** Conditions on a request (default: none). */
  match?: FaultMatch | undefined;
  /**
   * Number of the first matching request that the fault affects. If `nth` is 3, the fault does not affect the first two
   * matching requests.
   * @default 1
   */
  nth?: number | undefined;
  /**
   * Number of requests that the fault affects: an integer above 0, or `'always'` for every request until the fault is removed.
   * @default 1
   */
  times?: number | 'always' | undefined;
  /**
   * Probability that the fault affects a matching request, above 0 and at most 1. The same `randomSeed` gives the same
   * sequence.
   * @default 1
   */
  probability?: number | undefined;
  /**
   * An integer that determines which requests a fault with a `probability` affects, and the length of a random `delay`. The
   * default is the position of the fault in the list, so that two faults do not affect the same requests.
   */
  randomSeed?: number | undefined;
  /** Responds with this HTTP status, 200 to 599, without running the operation. */
  status?: number | undefined;
  /** Headers of the response that `status` produces, such as `Retry-After`. */
  headers?: Record<string, string> | undefined;
  /** Body of the response that `status` produces, sent as JSON. Requires a `status` that permits a body. */
  body?: unknown | undefined;
  /**
   * Raw body of the response that `status` produces, such as HTML from a gateway or truncated JSON. The content type is
   * `text/html` if the body begins with `<`, and `application/json` otherwise, unless `headers` sets the content type. Requires
   * a `status` that permits a body.
   */
  text?: string | undefined;
  /** Delay of the response. */
  delay?: FaultDelay | undefined;
  /**
   * Whether the `delay` comes before or after the operation. If the caller aborts the request during an `'after'` delay, the
   * operation has already changed the data, as in a slow service. During a `'before'` delay, the operation has not run yet.
   * @default 'after'
   */
  delayAt?: 'before' | 'after' | undefined;
  /** Duration of the response body in milliseconds, at most one hour. The body arrives in ten parts. */
  slowBody?: number | undefined;
  /**
   * Resets the connection at one of these points:
   *
   * - `before`: before the request is processed.
   * - `after`: after the request is processed, so that only the response is lost.
   * - `during-body`: after half of the response body.
   * - `after-body`: after the complete response, at the next request on the same connection. This value has no effect in
   *   `sandbox.fetch`, which has no connections.
   */
  drop?: 'before' | 'after' | 'during-body' | 'after-body' | undefined;
}

/** A fault in the list of a sandbox. */
export interface ListedFault extends Fault {
  /** Number of the fault, for `remove`. */
  id: number;
  /** Number of requests that the fault will still affect. */
  times: number | 'always';
  /**
   * Number of requests that have matched so far, including requests that the fault did not affect because of `nth` or
   * `probability`.
   */
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
   * Adds a fault. For each request, only the first matching fault takes effect. A world can have at most 100 faults.
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
   * @param id - number of the fault, from `add` or `list`
   * @returns whether the fault was still in the list
   */
  remove(id: number): boolean;
  /** Removes all faults. */
  clear(): void;
  /**
   * Lists the remaining faults.
   *
   * @returns copies of the faults, in the order in which a request is compared with them
   */
  list(): ListedFault[];
}

/** Returns the response that a fault sends instead of running the operation. */
export function faultResponse({ body, text, headers = {} }: Fault, status: number): PlainResponse {
  const named = Object.fromEntries(new Headers(headers));
  if (text !== undefined) {
    const type = text.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'application/json';
    return { status, headers: { 'content-type': type, ...named }, text };
  }
  return body === undefined ? emptyResponse(status, named) : jsonResponse(status, body, named);
}
