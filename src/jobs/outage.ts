import { isCarillonError, type Logger } from 'carillon';
import type { Database } from './database.ts';
import type { Outage } from './types.ts';

/** Milliseconds between two log lines about one outage. */
const logInterval = 60_000;
/** Milliseconds after the next try from which a report is old: its worker has ended. */
const reportLifetime = 120_000;

/** What a service does that answers no request: `cannot be reached (ECONNREFUSED)`. */
export function describeFailure(error: unknown): string {
  if (isCarillonError(error, 'ApiError')) return `answers with status ${error.status}`;
  if (isCarillonError(error, 'TokenError')) return 'gives no access token';
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

/** Returns a function that writes the outage of a job to the database, and tells the user of its begin and end. */
export function outageReporter(
  { pool, schema }: Database,
  { id, name }: { id: string; name: string },
  service: string,
  logger: Pick<Logger, 'warn'>,
): (outage: Outage | undefined) => void {
  let told = Number.NEGATIVE_INFINITY;
  return (outage) => {
    const text = outage ? JSON.stringify({ ...outage, reason: `the service at ${service} ${outage.reason}` }) : null;
    // Only a report: the work itself notices a database that is away.
    void pool
      .query(
        `UPDATE ${schema}.jobs SET outage = $2::jsonb WHERE id = $1 AND (outage IS NOT NULL OR $2::jsonb IS NOT NULL)`,
        [id, text],
      )
      .catch(() => undefined);
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

/** An outage as the database has it, unless it is old. */
export function readOutage(found: unknown): Outage | undefined {
  if (typeof found !== 'object' || found === null) return undefined;
  const [reason, since, nextTry] = ['reason', 'since', 'nextTry'].map((name): unknown => Reflect.get(found, name));
  const outage = { reason: String(reason), since: new Date(String(since)), nextTry: new Date(String(nextTry)) };
  return outage.nextTry.getTime() > Date.now() - reportLifetime ? outage : undefined;
}

/** Address of a service without what may be secret. */
export function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, '');
}

/** Host of a service. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
