/** A row of a file. */
export interface FileRow {
  /** First line of the row, from 1. */
  line: number;
  /** Values by column (CSV) or property (NDJSON). */
  values: Record<string, unknown>;
}
