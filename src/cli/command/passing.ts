import { isCarillonError } from 'carillon';

/** Whether a later try may succeed, as after a failed connection, an exceeded quota or a failure of the service. */
export function isPassing(error: unknown): boolean {
  if (isCarillonError(error, 'ApiError')) return error.status >= 500 || [408, 429].includes(error.status);
  return ['ConnectionError', 'DeadlineError', 'ResponseError'].some(
    (name) => isCarillonError(error) && error.name === name,
  );
}
