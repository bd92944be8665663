import { isFailureBody } from '../../shared/failure-body.ts';
import type { OperationRecord } from '../../shared/operation.ts';
import { unwrap } from './envelope.ts';
import { ResponseError } from './errors/local-errors.ts';
import { type Answer, isRedirect } from './exchange.ts';
import { apiError } from './failure.ts';
import type { PathResult } from './path-result.ts';
import type { Settings } from './settings.ts';
import { warnIfRounded } from './unsafe-integers.ts';

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
  const { response, text, ignoredCharset, body, isJson, redactor, note } = answer;
  // Reading properties of a response is slow.
  const { ok, status } = response;
  const details = { status, body: text };
  if (isRedirect(response))
    throw new ResponseError(`${label} was redirected, which is not followed: check baseUrl`, details);

  const ignored = `${operation.id}: charset`;
  if (ignoredCharset !== undefined && !settings.warned.has(ignored)) {
    settings.warned.add(ignored);
    const message = `carillon: the reply to ${label} declares the charset ${redactor.clean(ignoredCharset)}; it was read as UTF-8`;
    settings.logger.warn(message, { operationId: operation.id, status });
  }
  const coding = isJson ? undefined : unknownCoding(text, response);
  const undecoded = coding === undefined ? '' : `; fetch did not decode its content-encoding ${redactor.clean(coding)}`;
  if (!ok || isFailureBody(body)) {
    return { error: apiError({ label, response, body, redactor, note: `${undecoded}${note ?? ''}` }), response };
  }
  if (!isJson && !operation.empty) {
    const type = response.headers.get('content-type')?.split(';')[0] ?? 'no content type';
    const message = `${label} succeeded with a body that is not JSON (${redactor.clean(type)})${undecoded}`;
    throw new ResponseError(message, details);
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
  warnIfRounded(label, operation.id, answer, settings);
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

/**
 * The `Content-Encoding` of a text that is still encoded, because the platform does not know it, such as `zstd`. `fetch` then
 * returns the bytes as they are, without an error, and they are hardly ever valid UTF-8.
 */
function unknownCoding(text: string, { headers }: Response): string | undefined {
  return text.includes('\ufffd') ? (headers.get('content-encoding') ?? undefined) : undefined;
}

/** Returns the problems that the caller's validator finds. An error of the validator counts as a problem. */
function validate(operationId: string, body: unknown, { validate: validator }: Settings): readonly string[] {
  try {
    return validator?.check(operationId, body) ?? [];
  } catch {
    return ['validate.check failed'];
  }
}
