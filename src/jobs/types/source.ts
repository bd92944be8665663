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
  /**
   * The rows in order. What it throws rejects the plan, and nothing is planned.
   *
   * @param notes - for what the source must remember of all rows, such as the phone numbers it has seen
   */
  rows(notes: SourceNotes): AsyncIterable<SourceRow<Values>> | Iterable<SourceRow<Values>>;
}

/**
 * Remembers a number for each text, such as the line of each phone number, until the rows are planned. The notes are in a temporary table of the
 * database, so memory stays flat for millions of them. Each call is a statement: pass about 1,000 texts.
 */
export interface SourceNotes {
  /**
   * Adds notes. A text that has a note already keeps it.
   *
   * @param notes - whole numbers below 2^31, by text
   */
  add(notes: ReadonlyMap<string, number>): Promise<void>;
  /**
   * Finds notes.
   *
   * @returns the numbers of those texts that have one
   */
  find(texts: readonly string[]): Promise<Map<string, number>>;
}
