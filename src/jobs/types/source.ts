/** A value that JSON preserves. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A row of a source. */
export interface SourceRow<Values = unknown> {
  /** Identifies the row permanently within the job, such as a customer number. At most 2,000 bytes. */
  key: string;
  /** Line in the source, for problem reports: a whole number below 2^31. */
  line: number;
  /** Values for the steps: plain data that JSON preserves. */
  values: Values;
  /** Reason why the row cannot be sent. The row becomes invalid with this reason. */
  problem?: string | undefined;
  /**
   * Kind of the problem, without values of the row, such as `equal to an earlier row in every column`. The plan contains the number
   * of rows that were left out, by kind.
   * @default 'an invalid value'
   */
  cause?: string | undefined;
  /**
   * Number of source rows that this row represents, such as the phone numbers of a campaign part.
   * @default 1
   */
  rows?: number | undefined;
  /**
   * Number of these source rows whose recipient is also in an earlier row.
   * @default 0
   */
  repeated?: number | undefined;
}

/** Source of a job's rows, such as a file. */
export interface Source<Values = unknown> {
  /** Identifies the content of the source. `plan` throws if the job already exists and was planned with a different checksum. */
  checksum(): Promise<string>;
  /**
   * Returns the rows in order. If this function throws, `plan` rejects, and the job is not planned.
   *
   * @param notes - storage for data about earlier rows, such as the phone numbers seen so far
   */
  rows(notes: SourceNotes): AsyncIterable<SourceRow<Values>> | Iterable<SourceRow<Values>>;
}

/**
 * Maps strings to integers until the rows are planned, such as each phone number to its line. The strings are kept in a temporary
 * file, so that even millions of them need almost no memory.
 */
export interface SourceNotes {
  /**
   * Adds notes. Existing notes are not changed.
   *
   * @param notes - integers below 2^31, by name
   */
  add(notes: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Finds notes.
   *
   * @returns the numbers by name, for the names that have a note
   */
  find(names: readonly string[]): Promise<Map<string, number>>;
}
