import { UsageError } from '../../shared/command-line.ts';

/** Parses an option that is a number above 0. */
export function positive(text: string | undefined, option: string, whole = true): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (number > 0 && Number.isFinite(number) && (!whole || Number.isSafeInteger(number))) return number;
  throw new UsageError(`--${option} must be a ${whole ? 'whole ' : ''}number above 0, not '${text}'.`);
}

/** Parses an option that is a time with its zone. */
export function timeOf(text: string | undefined, option: string): Date | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time);
  throw new UsageError(`--${option} must be a time with its zone, such as 2026-11-22T10:00:00Z, not '${text}'.`);
}

/** Parses an option that is a whole number, also below 0. */
export function wholeNumber(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a whole number, not '${text}'.`);
}
