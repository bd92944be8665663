import type { CallState } from './call-state.ts';
import type { Sent } from './errors/base.ts';

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

/**
 * A promise of the payload, based on the promise of the whole result. It derives a promise only on request, because an unused
 * derived promise would cause an unhandled rejection.
 *
 * @internal
 */
export abstract class ResponsePromise<Data, Meta> implements Omit<Call<Data, Meta>, 'sent'> {
  abstract readonly [Symbol.toStringTag]: string;
  abstract withResponse(): Promise<WithResponse<Data, Meta>>;

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise, which `await` asks for `then`
  then<Kept = Data, Lost = never>(
    onFulfilled?: ((data: Data) => Kept | PromiseLike<Kept>) | null,
    onRejected?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null,
  ): Promise<Kept | Lost> {
    // Without a function, the payload is passed through, so `Kept` is `Data`.
    const keep = typeof onFulfilled === 'function' ? onFulfilled : (data: Data) => data as unknown as Kept;
    return this.withResponse().then(({ data }) => keep(data), onRejected);
  }

  catch<Lost = never>(onRejected?: ((reason: unknown) => Lost | PromiseLike<Lost>) | null): Promise<Data | Lost> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }
}

/**
 * A call that has started.
 *
 * @internal
 */
export class PendingCall<Data, Meta> extends ResponsePromise<Data, Meta> implements Call<Data, Meta> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #result: Promise<WithResponse<Data, Meta>>;
  readonly #state: CallState;

  constructor(result: Promise<WithResponse<Data, Meta>>, state: CallState) {
    super();
    this.#result = result;
    this.#state = state;
  }

  get sent(): Sent {
    return this.#state.sent;
  }

  withResponse(): Promise<WithResponse<Data, Meta>> {
    return this.#result;
  }

  /** For errors that are found after the call has ended. */
  get state(): CallState {
    return this.#state;
  }
}
