import type { Changes } from '../mutation.ts';

/** An edit of the valid spec that lint refuses. */
export interface RefusedEdit {
  edit: string;
  changes: Changes;
  /** Rule that reports the edit, as its only finding. */
  rule: string;
  /** Place of the finding in the changed spec, in the form of {@link Changes}. Its line is the finding's line. */
  at: string;
}

/** A row of the table. Without a place, it is the first change. */
export const refuse = (
  edit: string,
  changes: Changes,
  rule: string,
  at = Object.keys(changes)[0] ?? '',
): RefusedEdit => ({
  edit,
  changes,
  rule,
  at,
});
