import type { Sent } from '../../shared/call-types.ts';

/** Outcome of an attempt: the status of a response, or a missing response. */
export type AttemptOutcome =
  | {
      status: number;
      /** Value of the `Retry-After` header. */
      retryAfter: string | null;
      /** Time of the response by the service's clock, in milliseconds since 1970, if it is known. */
      respondedAt?: number | undefined;
    }
  | {
      sent: Sent;
      /** Whether a retry would fail in the same way. */
      isFinal?: boolean;
    };

export interface RetryRules {
  /** Whether the operation can safely be sent twice: GET, PUT, DELETE, or a POST that only reads. */
  repeatable: boolean;
  maxRetries: number;
  /** Whether an operation that is not repeatable is sent again after a 429. */
  replayCreates: boolean;
}

/** Statuses after which a retry may succeed. */
export const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const firstDelay = 500;
const maxDelay = 8_000;
/** Longest `Retry-After` for which the client waits. With a longer value, the call fails immediately. */
const maxRetryAfter = 60_000;

/**
 * Returns the delay before the next attempt in milliseconds, or `undefined` if the outcome is final. An operation that is not
 * repeatable is sent again only after a 429, or if the request was not sent, because the service did not process it in either
 * case. `send` handles a 401.
 *
 * @param retries - number of earlier retries
 */
export function retryDelay(
  outcome: AttemptOutcome,
  rules: RetryRules,
  retries: number,
  now: number,
  random: number,
): number | undefined {
  const hasResponse = 'status' in outcome;
  // The documents do not describe status 429. The client assumes that it means "not processed".
  const unprocessed = hasResponse ? outcome.status === 429 && rules.replayCreates : outcome.sent === 'no';
  if (retries >= rules.maxRetries || !(unprocessed || rules.repeatable)) return undefined;
  if (hasResponse ? !retriedStatuses.has(outcome.status) : outcome.isFinal) return undefined;
  // Compare a date with the time of the response, because the clocks of this machine and the service may differ.
  const asked = hasResponse ? parseRetryAfter(outcome.retryAfter, outcome.respondedAt ?? now) : undefined;
  if (asked !== undefined) return asked > maxRetryAfter ? undefined : asked;
  const interval = Math.min(maxDelay, firstDelay * 2 ** retries);
  // The first two back-offs last at least 375 ms and 750 ms, together longer than the period of a per-second limit.
  return hasResponse && outcome.status === 429 ? interval * (0.75 + random / 4) : interval * random;
}

/** Matches the three date formats of RFC 9110 §5.6.7. `Date.parse` accepts many more. */
const httpDate = /^\w{3,9},? [\w -]+ \d\d:\d\d:\d\d( GMT| \d{4})$/;

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds from `now`. `undefined` if it is missing or invalid. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const time = parseHttpDate(text);
  return time === undefined ? undefined : Math.max(0, time - now);
}

/** Time of a response by the service's clock, from its `Date` header. `undefined` if it is missing or invalid. */
export function responseTime(headers: Pick<Headers, 'get'>): number | undefined {
  return parseHttpDate(headers.get('date')?.trim() ?? '');
}

function parseHttpDate(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined;
  // The asctime format has no time zone and means GMT.
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

const capacity = 500;
const retryCost = 5;

/** Retry budgets by operation, so that a failing operation does not use up the retries of other operations. */
export class RetryBudgets {
  readonly #budgets = new Map<string, RetryBudget>();

  of(operationId: string): RetryBudget {
    let budget = this.#budgets.get(operationId);
    if (!budget) {
      budget = new RetryBudget();
      this.#budgets.set(operationId, budget);
    }
    return budget;
  }
}

/**
 * Limits retries during an outage, like the standard retry mode of the AWS SDKs. Allows 100 retries, then stops until calls
 * succeed again. A call that succeeds after retries returns one retry to this budget, or one for each retry that followed a
 * 429, because a limit on requests per second is not an outage. A call that succeeds without retries returns a fifth of a retry.
 */
export class RetryBudget {
  #left = capacity;

  /** Takes a retry from the budget. Returns whether a retry was left. */
  take(): boolean {
    const isEnough = this.#left >= retryCost;
    if (isEnough) this.#left -= retryCost;
    return isEnough;
  }

  /**
   * @param retries - number of retries of the successful call
   * @param limited - number of these retries that followed a 429
   */
  refill(retries: number, limited: number): void {
    this.#left = Math.min(capacity, this.#left + (retries > 0 ? retryCost * Math.max(1, limited) : 1));
  }
}
