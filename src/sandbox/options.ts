/** Options of a sandbox; all have defaults. */
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
  /** Client credentials that get tokens. Without any, all do. */
  clients?: readonly { clientId: string; clientSecret: string }[];
  /**
   * Tariff of the account; on `free`, step descriptions are not stored (Document 1 §2).
   * @default 'paid'
   */
  tariff?: 'paid' | 'free';
  /**
   * Currency of the account.
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
  method: string;
  /** Path with its query. */
  path: string;
  /** `operationId`, where one was reached. */
  operation?: string;
  /** Body of the request: parsed JSON, or text. Client secrets are left out. */
  body?: unknown;
  /** HTTP status of the answer; nothing where the connection was dropped. */
  status?: number;
  /** The rule that refused it. */
  rule?: string;
  /** The sandbox's choices that shaped the answer. */
  choices?: string[];
}
