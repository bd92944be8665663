import type { Client } from 'carillon';
import type { Json, Source } from './source.ts';

/** Context of `source`. */
export interface SourceContext {
  /** Client of the jobs. It retries requests, because a source only reads. */
  readonly api: Client;
}

/** Context that the functions of a step receive. */
export interface StepContext<Options = unknown> {
  /** Client of the jobs. It does not retry requests, because `work` retries rows. Each request counts towards the quotas. */
  readonly api: Client;
  /** Options of the job, as passed to `plan`. */
  readonly options: Options;
  /** Key of the row. */
  readonly key: string;
  /** Line of the row in the source. */
  readonly line: number;
  /** UUID derived from the job, the row and the step. It is the same on every machine and in every run. */
  readonly marker: string;
  /** Results of the earlier steps of the row, by name (`phone 1`, `phone 2` for a step with `each`). */
  readonly results: Readonly<Record<string, Json>>;
  /** Index of the item for a step with `each`, otherwise 0. */
  readonly index: number;
  /** Aborted when the deadline of the request passes. Pass this signal to the calls. */
  readonly signal: AbortSignal;
}

/** Context of `find`. */
export interface LookupContext<Options = unknown> extends StepContext<Options> {
  /** When the row was claimed, by the clock of the database or of this machine. The request was sent at most five seconds later. */
  readonly sentAt: Date;
  /** Whether rows of the job were repaired. Another row may then have the same recipient as this row. */
  readonly isRepaired: boolean;
}

/** Result of looking up a request with an unknown outcome. */
export type Found =
  /** The request was processed. The result is the result of the step. */
  | { readonly outcome: 'done'; readonly result?: Json | undefined }
  /** The request was certainly not processed. `send` is called again. */
  | { readonly outcome: 'not done' }
  /** The lookup is inconclusive. The row becomes `unknown`, with this reason. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** A step of a job, which sends one request for each row. */
export interface JobStep<Values = unknown, Options = unknown> {
  /** Name of the step, unique within the job. */
  name: string;
  /**
   * Whether the step applies to this row. If this function is omitted, the step applies to all rows.
   *
   * @param values - values of the row
   */
  applies?(values: Values): boolean;
  /**
   * Repeats the step for each item of the row, for example each phone, as separate steps `phone 1`, `phone 2`. The context contains the
   * index of the item.
   *
   * @param values - values of the row
   * @returns the items, always in the same order
   */
  each?(values: Values): readonly unknown[];
  /**
   * Sends the only request of the step that creates, changes or sends something. Requests that only read may precede this request.
   *
   * @param values - values of the row
   * @param context - client, marker and results of earlier steps
   * @returns ID of the created record, or other data for later steps
   */
  send(values: Values, context: StepContext<Options>): PromiseLike<Json>;
  /**
   * Looks up a request with an unknown outcome, once the service can no longer process the request. If this function is
   * omitted, the row becomes `unknown`.
   *
   * @param values - values of the row
   * @param context - client, marker, results of earlier steps, and when the row was sent
   * @returns result of the lookup; `foundBy` creates it from a result or `undefined`
   * @throws `LookupUnclearError`, which is equivalent to `unknown`. After transient client errors, the lookup is retried.
   */
  find?(values: Values, context: LookupContext<Options>): PromiseLike<Found>;
  /**
   * Whether the request has the same effect if it is sent twice, for example because it only reads. The request is then sent again
   * after a lost response.
   * @default false
   */
  repeatable?: boolean;
}

/** Describes the recipients of a job, so that people who have opted out are left out. */
export interface Recipients<Values = unknown, Options = unknown> {
  /**
   * ID of the operation that sends, such as `sendEmailMessage`. The spec says which operation lists the people who have opted out. The
   * list is read before the first row is sent, and again when it is a day old.
   */
  operation: string;
  /**
   * Returns the people whom a row concerns: addresses in lower case, and phone numbers as digits.
   *
   * @param values - values of the row
   */
  of(values: Values): readonly string[];
  /**
   * Separates the people in a row. If this function is omitted, the row is invalid if one of its people has opted out.
   *
   * @param values - values of the row
   * @param isOut - whether a person has opted out
   * @returns `kept`: the values without these people, or `null` if no one remains; `leftOut`: the values of one row for each person who
   * was left out
   */
  split?(values: Values, isOut: (person: string) => boolean): { kept: Values | null; leftOut: readonly Values[] };
  /**
   * Whether a job with these options leaves out people who have opted out.
   * @default every job leaves out these people
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
   * Version. Increase it when the steps change. Programs with the old version finish the jobs of that version, while other programs
   * work on jobs of the new version.
   */
  version: number;
  /**
   * Opens the source. Only `plan` calls this function.
   *
   * @param options - options of the job
   * @param context - contains the client
   */
  source(options: Options, context: SourceContext): Source<Values> | PromiseLike<Source<Values>>;
  /** Requests for each row, in this order. */
  steps: readonly JobStep<Values, Options>[];
  /**
   * Deadline of a request in milliseconds, at least 10,000. A planned job keeps its deadline. A request without a response is looked up
   * five seconds after the deadline, counted from the claim of the row. From then on, the service can no longer process the request.
   * @default 60_000
   */
  deadline?: number | undefined;
  /** Recipients of the job. If this property is omitted, no opt-out list is read. */
  recipients?: Recipients<Values, Options> | undefined;
}
