/** A row of a file. */
export interface FileRow {
  /** Number of the first line of the row, counted from 1. */
  line: number;
  /** Values by column (CSV) or property (NDJSON). */
  values: Record<string, unknown>;
  /**
   * For CSV read with `isExact`: the values without surrounding spaces, and with `\n` as the only line break. Absent if no
   * value differs.
   */
  trimmed?: Record<string, unknown>;
}
