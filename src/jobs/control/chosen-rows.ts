import { JobsError } from '../jobs-error.ts';
import type { ResumeAnswer } from '../types.ts';

/** Rows that a person chose by key or by ranges of lines, or `all` or `none`. */
export interface ChosenRows {
  readonly keys: ReadonlySet<string>;
  readonly lines: readonly (readonly [first: number, last: number])[];
  has(row: { readonly key: string; readonly line: number }): boolean;
}

/** @throws `JobsError` if a pair is not a valid range of lines */
export function readChoice(choice: NonNullable<ResumeAnswer['sent']>): ChosenRows {
  const chosen = choice === 'all' || choice === 'none' ? [] : choice;
  const keys = new Set(chosen.filter((row) => typeof row === 'string'));
  const lines = chosen.filter((row) => typeof row !== 'string');
  const wrong = lines.find(
    ([first, last]) => !(Number.isSafeInteger(first) && first > 0 && last >= first && last < 2 ** 31 - 1),
  );
  if (wrong) throw new JobsError(`${wrong.join('-')} is not a valid range of lines.`);
  return {
    keys,
    lines,
    has: ({ key, line }) =>
      choice === 'all' || keys.has(key) || lines.some(([first, last]) => line >= first && line <= last),
  };
}
