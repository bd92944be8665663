import * as z from 'zod';

/** Lengths of time, in milliseconds. */
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Latest time that a `Date` can express, in milliseconds since 1970. */
const latest = 8.64e15;

export const zMoment = z.number().min(-latest).max(latest);

/** Formats a time as `YYYY-MM-DD HH:MM:SS` in UTC. */
export function formatDateTime(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
}

/** Formats a time as `YYYY-MM-DD` in UTC. */
export function formatDate(moment: number): string {
  return formatDateTime(moment).slice(0, 10);
}

/**
 * Parses `YYYY-MM-DD`, `YYYY-MM-DD HH:MM` or `YYYY-MM-DD HH:MM:SS` as UTC. Returns `undefined` for any other string and
 * for a day that does not exist.
 */
export function parseDateTime(text: string): number | undefined {
  const [, date, time = '00:00', seconds = ':00'] =
    /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2})(:\d{2})?)?$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const moment = Date.parse(`${date}T${time}${seconds}Z`);
  // `Date.parse` may turn `2026-02-30` into a day in March.
  return !Number.isNaN(moment) && formatDateTime(moment) === `${date} ${time}${seconds}` ? moment : undefined;
}
