import type { CallState } from './call-state.ts';
import { inspect, type Sent } from './errors/base.ts';
import type { PathResult } from './path-result.ts';

/** Result of `.withResponse()`: payload, metadata and response. */
export interface WithResponse<Data, Meta> {
  /** Payload without its envelope. `undefined` if no body is documented. */
  data: Data;
  /** Other fields of the envelope, such as a total. `undefined` if none are documented. */
  meta: Meta;
  /** Status and headers of the response. The body has been read. */
  response: Response;
}

/**
 * A call in progress. `await` returns its payload, and `.withResponse()` returns everything. It rejects with an `ApiError`,
 * `ConnectionError`, `DeadlineError`, `TokenError`, `ResponseError` or `ArgumentError`, or with `signal.reason`.
 *
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 *
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' } });
 * const { data, response } = await api.crm.deals.get({ dealId: 501 }).withResponse();
 * console.log(response.status, data.name);
 * ```
 */
export interface Call<Data, Meta = undefined> extends Promise<Data> {
  /**
   * Whether any try of the call may have been processed so far. Read it after an abort, because the rejection is then the
   * unchanged `signal.reason`.
   */
  readonly sent: Sent;
  /** Resolves to payload, metadata and the `Response` (status and headers; the body has been read). */
  withResponse(): Promise<WithResponse<Data, Meta>>;
}

/** Key of a call's state. A symbol, so that JSON and spreads do not show it. */
export const stateKey = Symbol('state');

/** A promise with the state of its call. */
type Stated = { readonly [stateKey]: CallState };

/**
 * A call that has started. It is a native promise of the payload: engines then keep the line that awaits it in the stack trace of
 * an error, which they do not for other objects with `then`.
 *
 * @internal
 */
export interface PendingCall<Data, Meta> extends Call<Data, Meta>, Stated {}

/** Members of a call by method or path, besides those of a promise. */
const members: PropertyDescriptorMap & ThisType<Stated> = {
  [Symbol.toStringTag]: { value: 'Call' },
  sent: {
    get() {
      return this[stateKey].sent;
    },
  },
  // For Node's `console.log`.
  [inspect]: {
    value() {
      return `Call { ${this[stateKey].operation}: await it for its result }`;
    },
  },
};

/** A prototype, because defining the properties of each call would take ten times as long. */
const prototype = /* @__PURE__ */ Object.create(Promise.prototype, members);

/** Adds the members of a call to its promise. */
export function markCall<Made extends Promise<unknown> & Stated>(made: Made): Made & { readonly sent: Sent } {
  return Object.setPrototypeOf(made, prototype);
}

/**
 * Makes a call by method of a call by path. It rejects with the failure that the service reports.
 *
 * @internal
 */
export function toMethodCall<Data, Meta>(
  made: Promise<PathResult<unknown, unknown>> & Stated,
): PendingCall<Data, Meta> {
  let whole: WithResponse<Data, Meta>;
  const payload = made.then(({ data, meta, error, response }) => {
    if (error) throw error;
    // The types come from the spec. Replies are validated only on request.
    whole = { data, meta, response } as WithResponse<Data, Meta>;
    return whole.data;
  });
  // Derive this promise on request only, because an unused one would cause an unhandled rejection.
  const withResponse = (): Promise<WithResponse<Data, Meta>> => payload.then(() => whole);
  return markCall(Object.assign(payload, { [stateKey]: made[stateKey], withResponse }));
}
