import type { Method, Params } from '../catalogue/index.ts';

export type Response = { kind: 'response'; method: Method; response: unknown; note?: string };
export type Failure = { kind: 'failure'; text: string };
export type Question = { kind: 'question'; id: string; message: string };

/** Result of a call, which is a response, a text about a refusal or failure, or a question to the person. */
export type Outcome = Response | Failure | Question | { kind: 'text'; text: string };

/** A call with valid parameters that the policy permits. */
export interface Ready {
  readonly method: Method;
  readonly params: Params;
  /** Notes about the parameters, for the response. */
  readonly notes: readonly string[];
}
