/** A value that JSON preserves. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A row of a source. */
export interface SourceRow<Values = unknown> {
  /** Identifies the row permanently within the job, such as a customer number. */
  key: string;
  /** Line in the source, for problem reports. */
  line: number;
  /** Values for the steps, plain data that JSON preserves. */
  values: Values;
  /** Why the row cannot be sent. It becomes invalid, with this reason. */
  problem?: string | undefined;
  /**
   * Kind of the problem without values, such as `equal to an earlier row in every column`. A plan counts the rows that it leaves out by it.
   * @default 'an invalid value'
   */
  cause?: string | undefined;
  /**
   * Number of rows of the source that this row stands for, such as the phone numbers of a part of a campaign.
   * @default 1
   */
  rows?: number | undefined;
  /**
   * Number of these rows whose recipient an earlier row has, too.
   * @default 0
   */
  repeated?: number | undefined;
}

/** Source of the rows of a job, such as a file. */
export interface Source<Values = unknown> {
  /** Identifies the content. A job is rejected if its source no longer has the checksum with which it was planned. */
  checksum(): Promise<string>;
  /**
   * Returns the rows in order. If it throws, `plan` rejects, and the job is not planned.
   *
   * @param notes - storage for data about earlier rows, such as the phone numbers seen so far
   */
  rows(notes: SourceNotes): AsyncIterable<SourceRow<Values>> | Iterable<SourceRow<Values>>;
}

/**
 * Stores numbers by name, such as the line of each phone number, until the rows are planned. A temporary file keeps them, so that
 * millions of notes need no memory.
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
