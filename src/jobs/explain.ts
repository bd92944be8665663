import { JobsError } from './jobs-error.ts';

/** What a user can do about an error of Postgres, by its SQLSTATE. */
const sentences: Record<string, string> = {
  '28000': 'The database refused the user: check the user name and pg_hba.conf',
  '28P01': 'The database refused the password: check the user name and the password',
  '3D000': 'The database does not exist: create it with createdb, or correct its name',
  '42501': 'The user may not use or create the tables: grant it CREATE and TEMPORARY on the database',
  '42P01': 'A table of the jobs is missing: check the schema, or choose another one',
  '42703':
    'The tables of the jobs have other columns than this version expects: check the schema, or choose another one',
  '42883': 'A function of the jobs is missing: check the schema, or choose another one',
  '53100': 'The disk of the database is full: free some space, and the jobs continue',
  '53200': 'The database has no memory left: free some, and the jobs continue',
  '53300': 'The database has no connection left: raise max_connections, or stop other programs',
  '25006': 'The database is read-only: connect to the primary server',
};

/** SQLSTATEs, or their first characters, of a database that is away or cannot write now. The work then waits. */
const temporary = ['08', '53', '57P', '57014', '40', '55P03', '25006'];

const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENOENT',
];

/** Whether the work should wait and try again, because the database is away, restarting or full. */
export function isTemporary(error: unknown): boolean {
  const code = codeOf(error);
  if (code) return networkCodes.includes(code) || temporary.some((start) => code.startsWith(start));
  // These errors of pg have no code.
  return error instanceof Error && /connection terminated|timeout|not queryable|client was closed/i.test(error.message);
}

/** The error as one sentence for the user, with the error as its cause. */
export function explain(error: unknown): JobsError {
  if (error instanceof JobsError) return error;
  const code = codeOf(error);
  const sentence = code === undefined ? undefined : sentences[code];
  const message = error instanceof Error ? error.message : String(error);
  if (sentence) return new JobsError(`${sentence} (${message}).`, { cause: error });
  const text = isTemporary(error)
    ? `The database cannot be reached (${message || code}).`
    : `The database failed: ${message}`;
  return new JobsError(text, { cause: error });
}

/** The same error as `explain`, for promises: `.catch(rethrow)`. */
export function rethrow(error: unknown): never {
  throw explain(error);
}

function codeOf(error: unknown): string | undefined {
  // A host with several addresses fails with all their errors.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
