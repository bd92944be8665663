import type { Sent } from './errors/base.ts';

/** The outcome of a try: the service answered with a status, or no answer came. */
export type Outcome = { status: number | undefined; retryAfter: string | null } | { sent: Sent };

export interface RetryRules {
  /** The operation can be sent twice without harm: GET, PUT, DELETE, or a POST that only reads. */
  repeatable: boolean;
  maxRetries: number;
}

/** Answers that a later try may change. */
const retriedStatuses = /408|429|50[0234]/;
const firstDelay = 500;
const longestDelay = 8_000;
/** Nobody waits longer than this on the service's word; the error says so at once instead. */
const longestRetryAfter = 60_000;

/**
 * Returns the delay before the next try in milliseconds, or `undefined` if the outcome is final. An operation that is not
 * repeatable is sent again only after 429 or a failure before the request left: then it was certainly not processed.
 *
 * @param attempt - how many tries came before this one
 */
export function retryDelay(
  outcome: Outcome,
  rules: RetryRules,
  attempt: number,
  now: number,
  random: number,
): number | undefined {
  const answered = 'status' in outcome;
  const unprocessed = answered ? outcome.status === 429 : outcome.sent === 'no';
  if (attempt >= rules.maxRetries || !(unprocessed || rules.repeatable)) return undefined;
  if (answered && !retriedStatuses.test(`${outcome.status}`)) return undefined;
  const asked = answered ? parseRetryAfter(outcome.retryAfter, now) : undefined;
  if (asked !== undefined) return asked > longestRetryAfter ? undefined : asked;
  return random * Math.min(longestDelay, firstDelay * 2 ** attempt);
}

/** Looks like one of the three forms of a date in RFC 9110 §5.6.7; `Date.parse` accepts much more. */
const httpDate = /^\w{3,9},? [\w -]+ \d\d:\d\d:\d\d( GMT| \d{4})$/;

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds from now. `undefined` if it is missing or not valid. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!httpDate.test(text)) return undefined;
  // asctime names no zone and means GMT.
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
