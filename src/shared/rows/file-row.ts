/** A row of a file. */
export interface FileRow {
  /** Line on which it begins, from 1. */
  line: number;
  /** Its values, by column (CSV) or property (NDJSON). */
  values: Record<string, unknown>;
}
