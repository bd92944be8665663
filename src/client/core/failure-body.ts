import { isRecord } from '../../shared/is-record.ts';

/**
 * Whether a body reports a failure, under any HTTP status: `result: false`, or a documented error body (messaging document,
 * section 7).
 */
export function isFailureBody(body: unknown): boolean {
  return (
    isRecord(body) &&
    (body.result === false ||
      (isRecord(body.data) && body.data.result === false) ||
      ('error_code' in body && 'message' in body))
  );
}
