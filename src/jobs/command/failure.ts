import { isCarillonError } from 'carillon';
import { behindName, UsageError } from '../../shared/command-line.ts';
import { CredentialsError, inTerminal } from '../../shared/credentials.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { JobStatus } from '../types.ts';

/** Exit code of a failure: 2 after a usage error, 3 without credentials or settings, otherwise 1. */
export function failureCodeOf(error: unknown): number {
  if (isCarillonError(error, 'ConfigError') || error instanceof CredentialsError) return 3;
  return error instanceof UsageError ? 2 : 1;
}

/**
 * Describes a failure for standard error: one sentence, or one JSON object with the same members as failures of `carillon`.
 *
 * @param line - name of the command, such as `carillon-jobs`
 */
export function describeFailure(line: string, error: unknown, isJson: boolean): string {
  const reason = messageOf(error);
  const message = isCarillonError(error, 'ConfigError') ? inTerminal(reason) : reason;
  if (!isJson) return behindName(line, message);
  const exitCode = failureCodeOf(error);
  const nexts: Record<number, string> = {
    2: `${line} --help shows the usage.`,
    3: 'Correct the environment, or run carillon login.',
  };
  // `JSON.stringify` omits members without a value.
  return JSON.stringify({ ...callOf(error), message, next: nexts[exitCode], exitCode });
}

function callOf(error: unknown) {
  if (!isCarillonError(error)) return {};
  const { operationId: operation, sent } = error;
  return isCarillonError(error, 'ApiError')
    ? { operation, status: error.status, code: error.code, sent }
    : { operation, sent };
}

/**
 * Exit code of a command that waits for a job: 0 if all rows are done, 4 if the job is paused, and 1 if problems remain or the job
 * has not ended.
 */
export function exitCodeOf({ state, rows }: Pick<JobStatus, 'state' | 'rows'>): number {
  if (state === 'paused') return 4;
  return state === 'finished' && rows.rejected + rows.invalid + rows.unknown === 0 ? 0 : 1;
}
