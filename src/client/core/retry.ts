import type { Sent } from './errors/base.ts';

/** The outcome of a try: the service answered with a status, or no answer came. */
export type Outcome =
  | {
      status: number;
      /** `Retry-After`. */
      retryAfter: string | null;
      /** Time of the answer by the clock of the service, in milliseconds since 1970, if it says so. */
      repliedAt?: number | undefined;
    }
  | {
      sent: Sent;
      /** Another try would fail in the same way. */
      isFinal?: boolean;
    };

export interface RetryRules {
  /** The operation can be sent twice without harm: GET, PUT, DELETE, or a POST that only reads. */
  repeatable: boolean;
  maxRetries: number;
  /** Whether an operation that is not repeatable is sent again after 429. */
  replayCreates: boolean;
}

/** Answers that a later try may change. */
const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
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
  // That a request answered with 429 was not processed is an assumption: the documents do not show that answer.
  const unprocessed = answered ? outcome.status === 429 && rules.replayCreates : outcome.sent === 'no';
  if (attempt >= rules.maxRetries || !(unprocessed || rules.repeatable)) return undefined;
  if (answered ? !retriedStatuses.has(outcome.status) : outcome.isFinal) return undefined;
  // A date counts from the time of the answer: the clock of this machine may differ from that of the service.
  const asked = answered ? parseRetryAfter(outcome.retryAfter, outcome.repliedAt ?? now) : undefined;
  if (asked !== undefined) return asked > longestRetryAfter ? undefined : asked;
  return random * Math.min(longestDelay, firstDelay * 2 ** attempt);
}

/** Looks like one of the three forms of a date in RFC 9110 §5.6.7; `Date.parse` accepts much more. */
const httpDate = /^\w{3,9},? [\w -]+ \d\d:\d\d:\d\d( GMT| \d{4})$/;

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds from `now`. `undefined` if it is missing or not valid. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = parseHttpDate(text);
  return time === undefined ? undefined : Math.max(0, time - now);
}

/** Time of an answer by the clock of the service, as its `Date` says. `undefined` if it is missing or not valid. */
export function replyTime(headers: Pick<Headers, 'get'>): number | undefined {
  return parseHttpDate(headers.get('date')?.trim() ?? '');
}

function parseHttpDate(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined;
  // asctime names no zone and means GMT.
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
