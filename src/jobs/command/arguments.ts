import { readNumber, UsageError } from '../../shared/command-line.ts';

/** Parses an option that is a number above 0. */
export function positive(text: string | undefined, option: string, whole = true): number | undefined {
  return text === undefined ? undefined : readNumber(text, option, { whole, above: 0 });
}

/** Parses an option that is a time with its zone. */
export function timeOf(text: string | undefined, option: string): Date | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time);
  throw new UsageError(`--${option} must be a time with its zone, such as 2026-11-22T10:00:00Z, not '${text}'.`);
}
