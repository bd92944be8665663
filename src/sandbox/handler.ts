import type { Refusals } from './refusal.ts';
import type { State } from './state/state.ts';

/** A request that has passed the checks of its shape. */
export interface CheckedRequest<Path, Query, Body> {
  path: Path;
  query: Query;
  body: Body;
}

/** What a handler works with. */
export interface Context extends Refusals {
  /** The data of this sandbox; handlers change it in place. */
  state: State;
  /** The sandbox's clock, in milliseconds since 1970. */
  now: number;
  /** The settings of the account. */
  account: Account;
}

/** The account that the sandbox plays. */
export interface Account {
  /** On the free tariff, step descriptions are not stored. */
  tariff: 'paid' | 'free';
  /** Currency of prices, where a reply names one. */
  currency: string;
  /** Client credentials that get tokens; any do where there are none. */
  clients: readonly { clientId: string; clientSecret: string }[] | undefined;
}

/**
 * Answers one operation: the whole body of its success reply, as the spec describes it. A failure is thrown by
 * `context.refuse…`.
 */
export type Handler<Path, Query, Body, Reply> = (request: CheckedRequest<Path, Query, Body>, context: Context) => Reply;
