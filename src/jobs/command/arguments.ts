import { readNumber, UsageError } from '../../shared/command-line.ts';

/** Parses an option that is a number above 0. */
export function positive(text: string | undefined, option: string, whole = true): number | undefined {
  return text === undefined ? undefined : readNumber(text, option, { whole, above: 0 });
}

export function priorityOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readNumber(text, 'priority', { whole: true });
}

/** Parses lines and keys, such as `2-400,p-7`. */
export function linesOf(text: string): (string | readonly [first: number, last: number])[] {
  return text.split(',').map((part) => {
    const [, first, last = first] = /^\s*(\d{1,9})(?:-(\d{1,9}))?\s*$/.exec(part) ?? [];
    return first === undefined ? part.trim() : [Number(first), Number(last)];
  });
}

/** Parses an option that is a time with a time zone. */
export function timeOf(text: string | undefined, option: string): Date | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time);
  throw new UsageError(`--${option} must be a time with a time zone, such as 2026-11-22T10:00:00Z, not '${text}'.`);
}
