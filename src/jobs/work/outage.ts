import { isCarillonError, type Logger } from 'carillon';
import type { Database } from '../journal/database.ts';
import { type Limits, queueWait } from '../journal/limits.ts';
import type { Outage } from '../types.ts';
import type { KnownJob } from './known-job.ts';

/** Minimum interval of log lines about an outage, in milliseconds. */
const logInterval = 60_000;

/** Describes the problem of a service that does not answer, such as `cannot be reached (ECONNREFUSED)`. */
export function describeFailure(error: unknown): string {
  if (isCarillonError(error, 'ApiError')) return `answers with status ${error.status}`;
  if (isCarillonError(error, 'TokenError')) return 'does not return an access token';
  if (isCarillonError(error, 'DeadlineError')) return 'does not answer in time';
  if (!isCarillonError(error, 'ConnectionError')) return 'sends replies that cannot be read';
  const code = codeOf(error.cause);
  const isReached = code !== undefined && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code);
  const what = isReached ? 'closes the connection' : 'cannot be reached';
  return code === undefined ? what : `${what} (${code})`;
}

function codeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : codeOf(cause.cause);
}

/** Returns a function that writes an outage to the jobs of a queue, makes all its workers wait, and logs its start and end. */
export function outageReporter(
  { pool, schema }: Database,
  limits: Pick<Limits, 'wait' | 'endWait'>,
  { name, queue }: Pick<KnownJob, 'name' | 'queue'>,
  service: string,
  logger: Pick<Logger, 'warn'>,
): (outage: Outage | undefined) => void {
  let told = Number.NEGATIVE_INFINITY;
  const write = async (outage: Outage | undefined): Promise<void> => {
    if (!outage) {
      await limits.endWait(queueWait(queue));
      await pool.query(`UPDATE ${schema}.jobs SET outage = NULL WHERE queue = $1 AND outage IS NOT NULL`, [queue]);
      return;
    }
    const next = outage.nextTry.getTime() - Date.now();
    if (next > 0) await limits.wait(queueWait(queue), next);
    // Convert the times to the clock of the database, because the clock of this machine may differ.
    await pool.query(
      `UPDATE ${schema}.jobs SET outage = jsonb_build_object('reason', $2::text,
        'since', clock_timestamp() - $3 * interval '1 millisecond', 'nextTry', clock_timestamp() + $4 * interval '1 millisecond')
      WHERE queue = $1 AND state = 'running'`,
      [queue, `the service at ${service} ${outage.reason}`, Date.now() - outage.since.getTime(), next],
    );
  };
  return (outage) => {
    // Ignore errors, because the work itself notices that the database is unreachable.
    void write(outage).catch(() => undefined);
    if (outage) {
      if (Date.now() - told < logInterval) return;
      told = Date.now();
      const seconds = Math.ceil((outage.nextTry.getTime() - Date.now()) / 1_000);
      const since = outage.since.toISOString();
      logger.warn(
        `carillon: ${name}: the service at ${service} ${outage.reason} since ${since}. Next try in ${seconds} s.`,
      );
    } else if (told > 0) {
      told = Number.NEGATIVE_INFINITY;
      logger.warn(`carillon: ${name}: the service at ${service} is back.`);
    }
  };
}

/** Address of a service without parts that may be secret. */
export function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, '');
}

/** Host of a service. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
