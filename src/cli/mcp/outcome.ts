import type { Method, Params } from '../catalogue/index.ts';

export type ToolResponse = { kind: 'response'; method: Method; response: unknown; note?: string };
export type ToolFailure = { kind: 'failure'; text: string };
export type ToolQuestion = { kind: 'question'; id: string; message: string };

/** Result of a call: a response, text, a failure, or a question for the person. */
export type ToolOutcome = ToolResponse | ToolFailure | ToolQuestion | { kind: 'text'; text: string };

/** A call with valid parameters that the policy permits. */
export interface ReadyCall {
  readonly method: Method;
  readonly params: Params;
  /** Notes about the parameters, for the response. */
  readonly notes: readonly string[];
}
