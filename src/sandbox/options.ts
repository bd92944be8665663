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
