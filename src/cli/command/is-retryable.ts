import { isCarillonError } from 'carillon';

/** Whether a later attempt may succeed, for example after a failed connection, an exceeded quota or a failure of the service. */
export function isRetryable(error: unknown): boolean {
  if (isCarillonError(error, 'ApiError')) return error.status >= 500 || [408, 429].includes(error.status);
  return ['ConnectionError', 'DeadlineError', 'ResponseError'].some(
    (name) => isCarillonError(error) && error.name === name,
  );
}

/**
 * Whether a failure affects only one row: the service rejected its values, or the client found them invalid. An invalid
 * API key, in contrast, affects every row.
 */
export function concernsRow(error: unknown): boolean {
  if (isCarillonError(error, 'ApiError')) return !isRetryable(error) && ![401, 403].includes(error.status);
  return isCarillonError(error, 'ArgumentError') && error.parameter !== undefined;
}
