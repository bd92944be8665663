import { isRecord } from '../../shared/is-record.ts';
import { changesNoRecord, type OperationRecord } from '../../shared/operation.ts';
import type { CallState } from './call-state.ts';
import { type ApiError, apiErrorClass } from './errors/api-error.ts';
import { ResponseError } from './errors/local-errors.ts';
import { isRedirect, type ReadResponse } from './exchange.ts';
import type { Redactor } from './redact.ts';
import type { ClientSettings } from './settings.ts';

/** Result of a call by path. A failure that the service reports is returned as `error`, not thrown. */
export type PathResult<Data, Meta> =
  | {
      /** Payload without its envelope. `undefined` if no body is documented. */
      data: Data;
      /** Other fields of the envelope. `undefined` if none are documented. */
      meta: Meta;
      /** Always `undefined`, because the call succeeded. */
      error?: undefined;
      /** Status and headers of the response. The body has been read. */
      response: Response;
    }
  | {
      /** Always `undefined`, because the call failed. */
      data?: undefined;
      /** Always `undefined`, because the call failed. */
      meta?: undefined;
      /** The failure that the service reported. Other errors are thrown. */
      error: ApiError;
      /** Status and headers of the response. The body has been read. */
      response: Response;
    };

/**
 * Interprets a response. Returns its payload and metadata, or the failure that the service reports.
 *
 * @throws {@link ResponseError} for a redirect, a body that is not JSON, a body that `validate` rejects, an empty body or `null`
 * if a payload is documented, and a response without its payload or `result: true` if the operation changes something
 *
 * @internal
 */
export function readResult(
  read: ReadResponse,
  operation: OperationRecord,
  state: Pick<CallState, 'label' | 'method' | 'mayBeLost' | 'doubt'>,
  settings: ClientSettings,
): PathResult<unknown, unknown> {
  const { response, text, body, isJson, redactor, note } = read;
  // Reading properties of a response is slow.
  const { ok, status } = response;
  // Assume that an earlier attempt, whose response was lost, deleted the record. A 404 that is not JSON comes from another
  // server.
  if (status === 404 && isJson && state.method === 'DELETE' && state.mayBeLost)
    return { data: undefined, meta: undefined, response };
  const details = { status, body: text };
  if (isRedirect(response)) {
    state.doubt();
    throw new ResponseError(
      `${state.label} was redirected, and the client does not follow redirects: check baseUrl`,
      details,
    );
  }

  const coding = isJson ? undefined : unknownCoding(text, response);
  const undecoded =
    coding === undefined ? '' : `; fetch did not decode the body, whose Content-Encoding is ${redactor.clean(coding)}`;
  if (!ok || isFailureBody(body)) {
    return {
      error: apiError({ label: state.label, response, body, redactor, note: `${undecoded}${note ?? ''}` }),
      response,
    };
  }
  /** Another server may have responded, such as a login server, so the operation may not have been processed. */
  const unexpected = (how: string): ResponseError => {
    state.doubt();
    return new ResponseError(`${state.label} returned status ${status}, but ${how}`, details);
  };
  if (!isJson) {
    const type = response.headers.get('content-type')?.split(';')[0] ?? 'no content type';
    throw unexpected(`its body is not JSON (${redactor.clean(type)})${undecoded}`);
  }
  if (body === undefined && !operation.empty) throw unexpected('without the documented body');
  const problems = validate(operation.id, body, settings).map((problem) => redactor.redact(problem));
  if (problems.length > 0) {
    const message = `${state.label}: the response does not match the spec: ${problems.join('; ')}`;
    if (settings.validate?.onInvalid === 'throw') throw new ResponseError(message, details);
    settings.logger.warn(`carillon: ${message}`, { operationId: operation.id, status });
  }
  const { data, meta, missing } = unwrap(body, operation);
  if (data === null && !operation.nullable) throw unexpected('with null in place of the documented payload');
  const isList = operation.paging !== undefined || operation.list;
  if (isList && !Array.isArray(data)) throw unexpected('without the documented list');
  if (!operation.empty && !changesNoRecord(operation)) {
    const isRecordWithFields = isRecord(data) && Object.keys(data).length > 0;
    if (missing !== undefined || !(isList || isRecordWithFields)) throw unexpected('without the documented payload');
    if (operation.result && !(isRecord(data) && data.result === true)) throw unexpected("without 'result: true'");
  }
  if (missing !== undefined) {
    const message = `carillon: the response to ${state.label} has no '${missing}', so data is the whole body`;
    settings.logger.warn(message, { operationId: operation.id, status });
  }
  return { data, meta, response };
}

/**
 * The `Content-Encoding` of a body that is still encoded, because the platform does not support the encoding, such as `zstd`.
 * `fetch` then returns the encoded bytes without an error. Such bytes are hardly ever valid UTF-8.
 */
function unknownCoding(text: string, { headers }: Response): string | undefined {
  return text.includes('\ufffd') ? (headers.get('content-encoding') ?? undefined) : undefined;
}

/** Returns the problems that the caller's validator finds. An error that the validator throws counts as a problem. */
function validate(operationId: string, body: unknown, { validate: validator }: ClientSettings): readonly string[] {
  try {
    return validator?.check(operationId, body) ?? [];
  } catch {
    return ['validate.check failed'];
  }
}

/** @internal */
export interface Unwrapped {
  data: unknown;
  meta: Record<string, unknown> | undefined;
  /** The documented key that is missing from the body. `data` is then the whole body. */
  missing?: string;
}

/**
 * Extracts the payload from a response, following the keys that the spec documents for the operation. Sibling fields become
 * `meta`, and the members of a sibling named `meta` are merged into this `meta`. Returns a body with a different shape
 * unchanged.
 *
 * @internal
 */
export function unwrap(body: unknown, operation: OperationRecord): Unwrapped {
  if (operation.empty || body === undefined) return { data: undefined, meta: undefined };
  let data: unknown = body;
  let meta: Record<string, unknown> | undefined;
  const [keys, list] = operation.payload?.split('[') ?? [];
  for (const key of keys?.split('.') ?? []) {
    // `null` on the path means that there is no payload.
    if (data === null) return { data, meta };
    if (!isRecord(data) || !Object.hasOwn(data, key)) return { data: body, meta: undefined, missing: key };
    // Most responses contain only the payload, and copying the rest is slow.
    if (Object.keys(data).length > 1) meta = { ...meta, ...lift(key, data) };
    data = data[key];
  }
  if (list && isRecord(data)) data = [data];
  return { data, meta };
}

function lift(key: string, { [key]: _, meta, ...beside }: Record<string, unknown>): Record<string, unknown> {
  if (isRecord(meta)) return { ...beside, ...meta };
  return meta === undefined ? beside : { ...beside, meta };
}

/**
 * Whether a body reports a failure, under any HTTP status: `result: false`, or a documented error body (messaging document,
 * section 7).
 *
 * @internal
 */
export function isFailureBody(body: unknown): boolean {
  return (
    isRecord(body) &&
    (body.result === false ||
      (isRecord(body.data) && body.data.result === false) ||
      ('error_code' in body && 'message' in body))
  );
}

/** @internal */
export interface FailedResponse {
  /**
   * Name of the call in messages, such as `GET /deals/{dealId} (getDeal)`. Contains the path template, because a filled path can
   * contain an email address.
   */
  label: string;
  response: Response;
  body: unknown;
  /** Removes secrets from the service's message. */
  redactor: Redactor;
  /** Why the call was not retried. */
  note?: string | undefined;
}

/** @internal */
export function apiError({ label, response, body, redactor, note = '' }: FailedResponse): ApiError {
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

/**
 * Message from the service. The documents describe no general error body, so the client tries the usual fields (`detail` is
 * from RFC 9457).
 */
function serverMessage(body: Record<string, unknown>): string | undefined {
  const inner = isRecord(body.data) ? body.data : {};
  const candidates = [body.message, body.detail, body.error_description, body.error, inner.error, inner.message];
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '');
}
