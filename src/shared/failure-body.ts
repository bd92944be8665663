import { isRecord } from './is-record.ts';

/** A failure is a failure whatever its HTTP status: `result: false`, or a documented error body (messaging document, section 7). */
export function isFailureBody(body: unknown): boolean {
  return (
    isRecord(body) &&
    (body.result === false ||
      (isRecord(body.data) && body.data.result === false) ||
      ('error_code' in body && 'message' in body))
  );
}
