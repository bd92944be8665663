import type { Clock, ClockState } from './clock.ts';
import type { Faults } from './faults.ts';
import type { PlainReply, PlainRequest } from './http.ts';
import type { State } from './state.ts';

/**
 * Options of a sandbox; all have defaults.
 *
 * @example
 * ```ts
 * import { createSandbox, type SandboxOptions } from 'carillon/sandbox';
 *
 * const options: SandboxOptions = { seed: 1_000, tariff: 'free', startAt: Date.UTC(2026, 10, 4) };
 * const sandbox = createSandbox(options);
 * console.log(sandbox.state.crm.contacts.size);
 * ```
 */
export interface SandboxOptions {
  /**
   * What it holds at first: `true` for a small realistic data set, `false` for nothing, a number for that many contacts,
   * emails and the like beside it. The same seed gives the same data.
   * @default true
   */
  seed?: boolean | number;
  /**
   * Static API keys that are accepted, five at most (Document 1 §5). Without any, every bearer token is, but an issued one
   * that has ended.
   */
  apiKeys?: readonly string[];
  /** Client credentials that get tokens (Document 1 §5). Without any, all do. */
  clients?: readonly {
    /** The client's id, compared as it is. */
    clientId: string;
    /** The client's secret, compared as it is. */
    clientSecret: string;
  }[];
  /**
   * Tariff of the account; on `free`, step descriptions are not stored (Document 1 §2).
   * @default 'paid'
   */
  tariff?: 'paid' | 'free';
  /**
   * Currency of the account: a code of three letters.
   * @default 'EUR'
   */
  currency?: string;
  /** Moment at which the clock starts, in milliseconds since 1970; the real one where it is not given. */
  startAt?: number;
  /**
   * Answers the control requests below `/__sandbox/` too. Whoever can send requests can then change everything.
   * @default false
   */
  control?: boolean;
}

/** A request that the sandbox has seen. */
export interface LoggedRequest {
  /** When, by the sandbox's clock, in milliseconds since 1970. */
  at: number;
  /** HTTP method. */
  method: string;
  /** Path with its query. */
  path: string;
  /** `operationId`, where one was reached. */
  operation?: string;
  /** Body of the request: parsed JSON, or text. Client secrets are left out. */
  body?: unknown;
  /** HTTP status of the answer; nothing where the connection was dropped. */
  status?: number;
  /** Id of the rule that refused it: a key of `rules`. */
  rule?: string;
  /** Ids of the sandbox's choices that shaped the answer: keys of `choices`. */
  choices?: string[];
}

/** Everything of a sandbox at one moment: made by `snapshot`, taken by `restore`. */
export type Snapshot = {
  /** The data, a copy. */
  readonly state: State;
  /** Where the clock stood, and whether it ran. */
  readonly clock: ClockState;
};

/**
 * A stateful stand-in for the service, in this process.
 *
 * @example
 * ```ts
 * import { createSandbox } from 'carillon/sandbox';
 *
 * const sandbox = createSandbox();
 * const before = sandbox.snapshot();
 * const answer = await sandbox.fetch('https://sandbox.example.com/crm/v1/deals/501', {
 *   headers: { authorization: 'Bearer any' },
 * });
 * console.log(answer.status, sandbox.requests.length, sandbox.state.crm.deals.size);
 * sandbox.restore(before);
 * ```
 */
export interface Sandbox {
  /**
   * Answers like the service: give it to a client as its `fetch`, to a server or to MSW as a handler. Where the address
   * begins does not matter; its path has the base path of the operation. It rejects with {@link DroppedConnection} where a
   * fault drops the connection, and with `signal.reason` where the request is aborted.
   *
   * @param input - a request, or its address
   * @param init - as for the global `fetch`
   * @returns the answer; a refusal names its rule in `x-sandbox-rule` and its choices in `x-sandbox-choice`
   */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>;
  /**
   * Answers a request that has been read, for a server: no `Request` and no `Response` is made.
   *
   * @internal
   */
  respond(request: PlainRequest): Promise<PlainReply>;
  /** The data, to look at and to change. */
  readonly state: State;
  /** The sandbox's own time. */
  readonly clock: Clock;
  /** Faults to answer with. */
  readonly faults: Faults;
  /** The last 1,000 requests, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /**
   * Back to the data set it began with; faults, log and issued tokens are gone, the clock is kept.
   *
   * @param options - another data set for this time
   * @throws `RangeError` for a seed that is no number of records
   */
  reset(options?: Pick<SandboxOptions, 'seed'>): void;
  /**
   * A copy of data and clock.
   *
   * @returns plain data, which later changes of the sandbox do not touch
   */
  snapshot(): Snapshot;
  /**
   * Back to a snapshot; it can be restored again. Faults and log stay as they are.
   *
   * @param snapshot - made by `snapshot`, of this sandbox or of another
   */
  restore(snapshot: Snapshot): void;
}
