import type { ZodType } from 'zod';

/** A documented quota over a rolling window. */
export interface Quota {
  readonly requests: number;
  readonly seconds: number;
  /** What has the quota: the account, a website. */
  readonly per: string;
}

/** What the specs say about an operation beyond what the client needs at run time; written by the generator. */
export interface OperationDetails {
  /** The documented success status. */
  readonly status: number;
  /** Query parameters with their JSON types; everything arrives as text. */
  readonly queryTypes?: Readonly<Record<string, string>>;
  readonly query?: ZodType;
  readonly body?: ZodType;
  readonly bodyRequired?: true;
  /** The body of the success reply. */
  readonly reply?: ZodType;
  /** Documented error code → id of the rule that it reports. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly quota?: Quota;
}
