import { messageOf } from '../../shared/message-of.ts';
import { DatabaseFileError, isPassingFileError } from '../../shared/sqlite-file.ts';
import { JobsError } from '../jobs-error.ts';

/** Descriptions of Postgres errors with advice for the user, by SQLSTATE. */
const sentences: Record<string, string> = {
  '28000': 'The database rejected the user: check the user name and pg_hba.conf',
  '28P01': 'The database rejected the password: check the user name and the password',
  '3D000': 'The database does not exist: create it with createdb, or correct its name',
  '42501':
    'The user is not allowed to use or create the tables: grant the user CREATE on the database, or create the schema carillon_jobs for the user (CREATE SCHEMA … AUTHORIZATION …)',
  '42P01': 'A job table is missing: use another database',
  '42703': 'The job tables do not have the columns that this version expects: use another database',
  '53100': 'The disk of the database server is full. The jobs continue when space is available again',
  '53200': 'The database is out of memory. The jobs continue when memory is available again',
  '53300': 'The database has no connections left: raise max_connections, or stop other programs',
  '25006': 'The database is read-only: connect to the primary server',
};

const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
];

/** SQLSTATE classes of permanent errors: an invalid statement, a missing table, permission or schema. */
const lasting = ['42', '3F'];

/**
 * Whether a database error is transient, so that a worker waits and retries. True unless the statement itself cannot succeed.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof DatabaseFileError) return isPassingFileError(error);
  const code = codeOf(error);
  if (code && /^[0-9A-Z]{5}$/.test(code)) return !lasting.some((start) => code.startsWith(start));
  if (code) return networkCodes.includes(code);
  // These errors of `pg` have no code.
  return error instanceof Error && /connection terminated|timeout|not queryable|client was closed/i.test(error.message);
}

/** Whether the database is unreachable, starting, stopping or a standby. */
export function isAway(error: unknown): boolean {
  const code = codeOf(error);
  return isRetryable(error) && (!code || networkCodes.includes(code) || /^(08|57P|25006)/.test(code));
}

/** Converts an error to one sentence for the user, with the error as its cause. */
export function explain(error: unknown): JobsError {
  if (error instanceof JobsError) return error;
  if (error instanceof DatabaseFileError) return new JobsError(error.message, { cause: error });
  const code = codeOf(error);
  const sentence = code === undefined ? undefined : sentences[code];
  const message = messageOf(error);
  if (message.startsWith('Query read timeout'))
    return new JobsError(
      'The database did not respond in time: check its load, long-held locks and the network (Query read timeout).',
      { cause: error },
    );
  if (sentence) return new JobsError(`${sentence} (${message}).`, { cause: error });
  const text = isAway(error)
    ? `The database cannot be reached (${message || code}).`
    : `The database failed: ${message}`;
  return new JobsError(text, { cause: error });
}

/** Throws the error of `explain`, for use as `.catch(rethrow)`. */
export function rethrow(error: unknown): never {
  throw explain(error);
}

function codeOf(error: unknown): string | undefined {
  // If a host has several addresses, the error contains the errors of all addresses.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
