import { isCarillonError } from 'carillon';

/** Whether a later try may succeed, as after a failed connection, an exceeded quota or a failure of the service. */
export function isRetryable(error: unknown): boolean {
  if (isCarillonError(error, 'ApiError')) return error.status >= 500 || [408, 429].includes(error.status);
  return ['ConnectionError', 'DeadlineError', 'ResponseError'].some(
    (name) => isCarillonError(error) && error.name === name,
  );
}

/** Whether the service rejected the values of one row, or the client found them invalid. Without a valid key, every row would fail. */
export function concernsRow(error: unknown): boolean {
  if (isCarillonError(error, 'ApiError')) return !isRetryable(error) && ![401, 403].includes(error.status);
  return isCarillonError(error, 'ArgumentError') && error.parameter !== undefined;
}
