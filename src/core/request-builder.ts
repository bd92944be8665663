import { createQuerySerializer, mergeHeaders } from 'openapi-fetch';
import { ArgumentError } from './errors/local-errors.ts';
import type { HeaderRecord, OutgoingRequest } from './exchange.ts';

/** What a call by path is made of. */
export interface RequestDescription {
  operationId: string;
  method: string;
  /** Without the query. */
  url: string;
  query: Record<string, unknown> | undefined;
  body: unknown;
  /** Later ones go over earlier ones. */
  headers: (Record<string, string> | undefined)[];
}

const json = 'application/json';
const serializeQuery = /* @__PURE__ */ createQuerySerializer();

/**
 * Serialises query, headers and body, as openapi-fetch does.
 *
 * @throws {@link ArgumentError} for what cannot be serialised
 */
export function buildRequest({ operationId, method, url, query, body, headers }: RequestDescription): OutgoingRequest {
  let search: string;
  let text: string | undefined;
  try {
    search = serializeQuery(query);
    text = body === undefined ? undefined : JSON.stringify(body);
  } catch (cause) {
    throw new ArgumentError(`${operationId}: the parameters cannot be serialised; nothing was sent`, { cause });
  }
  return {
    url: search ? `${url}?${search}` : url,
    method,
    headers: buildHeaders(operationId, text !== undefined, headers),
    body: text,
  };
}

function buildHeaders(operationId: string, hasBody: boolean, headers: RequestDescription['headers']): HeaderRecord {
  const standard: HeaderRecord = { accept: json, ...(hasBody && { 'content-type': json }) };
  if (!headers.some(Boolean)) return standard;
  try {
    return Object.fromEntries(mergeHeaders(standard, ...headers));
  } catch {
    // The cause is left out: it can hold the value.
    throw new ArgumentError(`${operationId}: a header has a name or value that HTTP does not permit; nothing was sent`);
  }
}
