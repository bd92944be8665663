import { isRecord } from '../../shared/is-record.ts';
import { type ApiError, apiErrorClass } from './errors/api-error.ts';
import type { Redactor } from './redact.ts';

export interface FailedAnswer {
  /** Such as `GET /deals/{dealId} (getDeal)`. Uses the path template, because a filled path can contain an email address. */
  label: string;
  response: Response;
  body: unknown;
  /** Removes secrets from the message of the service. */
  redactor: Redactor;
  /** Why the call was not retried. */
  note?: string | undefined;
}

export function apiError({ label, response, body, redactor, note = '' }: FailedAnswer): ApiError {
  const { status, headers } = response;
  const fields = isRecord(body) ? body : {};
  const said = serverMessage(fields);
  const code = failureCode(fields, redactor);
  const serviceMessage = said && redactor.clean(said);
  const failed = `${label} failed with HTTP status ${status}${code ? `, code ${code}` : ''}`;
  const message = said && said !== code ? `${failed}: ${serviceMessage}` : failed;
  const ErrorClass = apiErrorClass(status);
  return new ErrorClass(message + note, { status, code, body, headers, serviceMessage });
}

/** The documented error code: the number in `message`, or else `error_code` (messaging document, section 7). */
function failureCode(
  { message, error_code: errorCode }: Record<string, unknown>,
  redactor: Redactor,
): string | undefined {
  const candidates = [message, errorCode].filter((value) => typeof value === 'string' || typeof value === 'number');
  const code = candidates.find((value) => value !== message || /^\d+$/.test(String(value)));
  return code === undefined ? undefined : redactor.clean(String(code));
}

/** The documents show no general error body, so this tries the usual fields (`detail` is from RFC 9457). */
function serverMessage(body: Record<string, unknown>): string | undefined {
  const inner = isRecord(body.data) ? body.data : {};
  const candidates = [body.message, body.detail, body.error_description, body.error, inner.error, inner.message];
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}
