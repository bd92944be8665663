import type { Client } from 'carillon';
import type { Json, Source } from './source.ts';

/** Second argument of `source`. */
export interface SourceContext {
  /** The client of the jobs. It retries, because a source only reads. */
  readonly api: Client;
}

/** Context of the functions of a step. */
export interface StepContext<Options = unknown> {
  /** The client of the jobs. It does not retry, because the engine does. Each request counts towards the quotas. */
  readonly api: Client;
  /** Options of the job, as passed to `plan`. */
  readonly options: Options;
  /** Key of the row. */
  readonly key: string;
  /** Line of the row in the source. */
  readonly line: number;
  /** A UUID derived from job, row and step. It is the same on every machine and in every run. */
  readonly marker: string;
  /** Results of the earlier steps of the row, by name (`phone 1`, `phone 2` for a step with `each`). */
  readonly results: Readonly<Record<string, Json>>;
  /** Index of the item for a step with `each`, otherwise 0. */
  readonly index: number;
  /** Aborted when the deadline of the request passes. Pass it to the calls. */
  readonly signal: AbortSignal;
}

/** Context of `find`. */
export interface LookupContext<Options = unknown> extends StepContext<Options> {
  /** When the row was claimed, by the clock of the database or of this machine. The request was sent up to five seconds later. */
  readonly sentAt: Date;
  /** Whether rows of the job were repaired, so that another one may have the recipient of this one. */
  readonly isRepaired: boolean;
}

/** Result of looking up a request with an unknown outcome. */
export type Found =
  /** The request was processed. The result is the result of the step. */
  | { readonly outcome: 'done'; readonly result?: Json | undefined }
  /** The request was certainly not processed. `send` is called again. */
  | { readonly outcome: 'not done' }
  /** The lookup is not conclusive. The row becomes `unknown`, with this reason. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** One request for each row. */
export interface JobStep<Values = unknown, Options = unknown> {
  /** Name of the step, unique within the job. */
  name: string;
  /**
   * Whether the step applies to this row. Without this function, it applies to all rows.
   *
   * @param values - values of the row
   */
  applies?(values: Values): boolean;
  /**
   * Repeats the step for each item of the row, such as its phones, as separate steps `phone 1`, `phone 2`. The context contains
   * the index of the item.
   *
   * @param values - values of the row
   * @returns the items, always in the same order
   */
  each?(values: Values): readonly unknown[];
  /**
   * Sends the one request that creates, changes or sends something. Requests that only read may precede it.
   *
   * @param values - values of the row
   * @param context - client, marker and results of earlier steps
   * @returns ID of the created record, or other data for later steps
   */
  send(values: Values, context: StepContext<Options>): PromiseLike<Json>;
  /**
   * Looks up a request with an unknown outcome, after it can no longer be processed. Without this function, the row becomes
   * `unknown`.
   *
   * @param values - values of the row
   * @param context - client, marker, results of earlier steps, and when the row was sent
   * @returns result of the lookup; `foundBy` creates it from a result or `undefined`
   * @throws `LookupUnclearError`, which is equivalent to `unknown`. After transient errors of the client, the lookup is retried.
   */
  find?(values: Values, context: LookupContext<Options>): PromiseLike<Found>;
  /**
   * Whether the request has the same effect if it is sent twice, such as one that only reads. It is sent again after a lost
   * response.
   * @default false
   */
  repeatable?: boolean;
}

/** Who gets what a job sends, so that people who do not want it any more are left out. */
export interface Recipients<Values = unknown, Options = unknown> {
  /**
   * ID of the operation that sends, such as `sendEmailMessage`. The spec says which operation lists the people who do not want it. They are
   * read before the first row is sent, and again after a day.
   */
  operation: string;
  /**
   * Returns the people whom a row concerns: addresses in lower case, and phone numbers as digits.
   *
   * @param values - values of the row
   */
  of(values: Values): readonly string[];
  /**
   * Separates the people of a row. Without it, the row is invalid if one of them does not want it.
   *
   * @param values - values of the row
   * @param isOut - whether a person does not want it
   * @returns the row without them, `null` if no one remains, and the values of a row for each person who was left out
   */
  split?(values: Values, isOut: (person: string) => boolean): { kept: Values | null; leftOut: readonly Values[] };
  /**
   * Whether a job leaves people out.
   * @default every job does
   */
  isChecked?(options: Options): boolean;
}

/**
 * A type of job: the source of its rows, and the requests for each row. All programs that process the job need the same
 * definition.
 */
export interface JobDefinition<Values = unknown, Options = unknown> {
  /** Name: letters, digits, `-` and `_`. */
  name: string;
  /**
   * Increase it when the steps change. Programs with the old version finish its jobs, while others work on jobs of the new version.
   */
  version: number;
  /**
   * Opens the source. Only `plan` calls it.
   *
   * @param options - options of the job
   * @param context - the client
   */
  source(options: Options, context: SourceContext): Source<Values> | PromiseLike<Source<Values>>;
  /** Requests for each row, in this order. */
  steps: readonly JobStep<Values, Options>[];
  /**
   * Deadline of a request in milliseconds, at least 10,000. A planned job keeps its deadline. A request without a response is looked
   * up when it can no longer be processed, five seconds after the deadline, counted from the mark of the row.
   * @default 60_000
   */
  deadline?: number | undefined;
  /** Who gets what the job sends. Without it, no list is read. */
  recipients?: Recipients<Values, Options> | undefined;
}
