/** `YYYY-MM-DD HH:MM:SS` of a moment, in UTC. */
export function formatDateTime(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
}

/** `YYYY-MM-DD` of a moment, in UTC. */
export function formatDate(moment: number): string {
  return formatDateTime(moment).slice(0, 10);
}

/**
 * The moment that `YYYY-MM-DD`, `YYYY-MM-DD HH:MM` or `YYYY-MM-DD HH:MM:SS` names in UTC; nothing for any other text and
 * for a day that no calendar has.
 */
export function parseDateTime(text: string): number | undefined {
  const [, date, time = '00:00', seconds = ':00'] =
    /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2})(:\d{2})?)?$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const moment = Date.parse(`${date}T${time}${seconds}Z`);
  // `2026-02-30` would become a day of March.
  return !Number.isNaN(moment) && formatDateTime(moment) === `${date} ${time}${seconds}` ? moment : undefined;
}
