/** A row of a file. */
export interface FileRow {
  /** First line of the row, from 1. */
  line: number;
  /** Values by column (CSV) or property (NDJSON). */
  values: Record<string, unknown>;
  /** The values of an exact CSV source without surrounding spaces, and with `\n` as the only line break, if they differ. */
  trimmed?: Record<string, unknown>;
}
