import { UsageError } from '../../shared/command-line.ts';

/** Parses an option that is a number above 0. */
export function positive(text: string | undefined, option: string, whole = true): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (number > 0 && Number.isFinite(number) && (!whole || Number.isSafeInteger(number))) return number;
  throw new UsageError(`--${option} must be a ${whole ? 'whole ' : ''}number above 0, not '${text}'.`);
}
