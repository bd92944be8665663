/** A value that JSON preserves. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A row of a source. */
export interface SourceRow<Values = unknown> {
  /** Identifies the row permanently within the job, such as a customer number. */
  key: string;
  /** Line of the source, which problem reports name. */
  line: number;
  /** What the steps send: plain data that JSON preserves. */
  values: Values;
  /** Why the row cannot be sent. It is then refused from the start, with this reason. */
  problem?: string | undefined;
}

/** The rows of a job. A file, for example. */
export interface Source<Values = unknown> {
  /** Identifies the content. A job whose source has another checksum than at its first run is rejected. */
  checksum(): Promise<string>;
  /** The rows in order. What it throws rejects the plan, and nothing is planned. */
  rows(): AsyncIterable<SourceRow<Values>> | Iterable<SourceRow<Values>>;
}
