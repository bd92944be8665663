import type { Client } from 'carillon';
import type { Json, Source } from './source.ts';

/** What `source` receives beside the options of the job. */
export interface SourceContext {
  /** The client of the jobs, with its retries: a source only reads. */
  readonly api: Client;
}

/** What the functions of a step receive beside the values of the row. */
export interface StepContext<Options = unknown> {
  /** The client of the jobs. It does not retry: the engine does. Each of its requests counts towards the quotas. */
  readonly api: Client;
  /** Options of the job, as they were given to `plan`. */
  readonly options: Options;
  /** Key of the row. */
  readonly key: string;
  /** Line of the row in the source. */
  readonly line: number;
  /** A UUID derived from job, row and step: the same on every machine and in every run. */
  readonly marker: string;
  /** Results of the earlier steps of the row, by name: `phone 1`, `phone 2` for a step that has `each`. */
  readonly results: Readonly<Record<string, Json>>;
  /** Index of the item, for a step that has `each`; else 0. */
  readonly index: number;
  /** Aborted when the deadline of the request passes. Pass it to the calls. */
  readonly signal: AbortSignal;
}

/** What `find` receives beside the values of the row. */
export interface LookupContext<Options = unknown> extends StepContext<Options> {
  /** When the row was marked as sent, by the clock of the database. The request left up to five seconds later. */
  readonly sentAt: Date;
}

/** What a lookup found out about a request whose outcome is not known. */
export type Found =
  /** It was processed. The result is that of the step. */
  | { readonly outcome: 'done'; readonly result?: Json | undefined }
  /** It was not processed, for certain: `send` is called again. */
  | { readonly outcome: 'not done' }
  /** The lookup does not show it: the row becomes `unknown`, with this reason. */
  | { readonly outcome: 'unknown'; readonly reason: string };

/** One request for each row. */
export interface JobStep<Values = unknown, Options = unknown> {
  /** Name of the step, unique within the job. */
  name: string;
  /**
   * Whether the step concerns this row. Without it, it concerns all.
   *
   * @param values - values of the row
   */
  applies?(values: Values): boolean;
  /**
   * Repeats the step for each item of the row, such as its phones: as steps of their own, named `phone 1`, `phone 2`. The context
   * has the index of the item.
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
   * @returns ID of what was created, or other data for later steps
   */
  send(values: Values, context: StepContext<Options>): PromiseLike<Json>;
  /**
   * Looks for what a request did whose outcome is not known, when it can no longer be processed. Without it, the row becomes `unknown`.
   *
   * @param values - values of the row
   * @param context - client, marker, results of earlier steps, and when the row was sent
   * @returns what it found out; `foundBy` turns a result or `undefined` into it
   * @throws `LookupUnclearError` has the meaning of `unknown`. Errors of the client that may pass let the row wait.
   */
  find?(values: Values, context: LookupContext<Options>): PromiseLike<Found>;
  /**
   * The request has the same effect if it is sent twice, such as one that only reads. After a lost reply it is sent again.
   * @default false
   */
  repeatable?: boolean;
  /**
   * What has the documented quota of the operation, if it is not the account: the ID of a website, for example.
   *
   * @param values - values of the row
   */
  quotaOf?(values: Values): string | number;
}

/** What a completed row keeps: its key and line only, also the results of its steps, or also its values. */
export type Keep = 'nothing' | 'results' | 'everything';

/** A kind of job: where its rows come from, and what is sent for each. Every program of the job needs the same definition. */
export interface JobDefinition<Values = unknown, Options = unknown> {
  /** Name: letters, digits, `-` and `_`. */
  name: string;
  /**
   * Increase it when the steps change. Each version has a queue of its own: programs with the old one finish its jobs, while others work
   * on those of the new one.
   */
  version: number;
  /**
   * Opens the source. Only `plan` calls it.
   *
   * @param options - options of the job
   * @param context - the client
   */
  source(options: Options, context: SourceContext): Source<Values> | PromiseLike<Source<Values>>;
  /** What is sent for each row, in this order. */
  steps: readonly JobStep<Values, Options>[];
  /**
   * Deadline of a request in milliseconds, at least 10,000. The job keeps the one that it was planned with. A request without a reply is
   * looked up when it can no longer be processed: a deadline and five seconds after the row was marked as sent.
   * @default 60_000
   */
  deadline?: number | undefined;
  /**
   * Highest number of rows in flight over all machines.
   * @default no limit beside the concurrency of each worker
   */
  concurrency?: number | undefined;
  /**
   * Highest number of requests per second over all machines, evenly spaced.
   * @default no limit
   */
  rate?: number | undefined;
  /**
   * What completed rows keep in the database.
   * @default 'results'
   */
  keep?: Keep | undefined;
}
