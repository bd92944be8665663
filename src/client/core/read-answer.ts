import { isFailureBody } from '../../shared/failure-body.ts';
import type { OperationRecord } from '../../shared/operation.ts';
import { unwrap } from './envelope.ts';
import { ResponseError } from './errors/local-errors.ts';
import { type Answer, isRedirect } from './exchange.ts';
import { apiError } from './failure.ts';
import type { PathResult } from './path-result.ts';
import type { Settings } from './settings.ts';

/**
 * Interprets an answer. Returns its payload and metadata, or the failure that the service reports.
 *
 * @throws {@link ResponseError} for a redirect, a body that is not JSON, a body that `validate` refuses, and an empty body or
 * `null` if a payload is documented
 */
export function readAnswer(
  label: string,
  operation: OperationRecord,
  answer: Answer,
  settings: Settings,
): PathResult<unknown, unknown> {
  const { response, text, body, isJson, redactor, note } = answer;
  // Reading properties of a response is slow.
  const { ok, status } = response;
  const details = { status, body: text };
  if (isRedirect(response))
    throw new ResponseError(`${label} was redirected, which is not followed: check baseUrl`, details);

  if (!ok || isFailureBody(body)) {
    return { error: apiError({ label, response, body, redactor, note }), response };
  }
  if (!isJson && !operation.empty) {
    const type = response.headers.get('content-type')?.split(';')[0] ?? 'no content type';
    throw new ResponseError(`${label} succeeded with a body that is not JSON (${redactor.clean(type)})`, details);
  }
  if (body === undefined && !operation.empty) {
    throw new ResponseError(`${label} succeeded without the body that is documented`, details);
  }
  const problems = validate(operation.id, body, settings).map((problem) => redactor.redact(problem));
  if (problems.length > 0) {
    const message = `${label}: the reply does not fit the spec: ${problems.join('; ')}`;
    if (settings.validate?.onInvalid === 'throw') throw new ResponseError(message, details);
    settings.logger.warn(`carillon: ${message}`, { operationId: operation.id, status });
  }
  const { data, meta, missing } = unwrap(body, operation);
  if (data === null && !operation.nullable) {
    throw new ResponseError(`${label} succeeded with null instead of the payload that is documented`, details);
  }
  if (missing !== undefined) {
    const message = `carillon: the reply to ${label} has no '${missing}'; data is the whole body`;
    settings.logger.warn(message, { operationId: operation.id, status });
  }
  return { data, meta, response };
}

/** Returns the problems that the caller's validator finds. An error of the validator counts as a problem. */
function validate(operationId: string, body: unknown, { validate: validator }: Settings): readonly string[] {
  try {
    return validator?.check(operationId, body) ?? [];
  } catch {
    return ['validate.check failed'];
  }
}
