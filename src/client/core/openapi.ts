import createOpenapiFetch, { type Client } from 'openapi-fetch';
import { ConfigError } from './errors/local-errors.ts';
import type { OutgoingRequest } from './exchange.ts';
import type { PreparedCall } from './prepare.ts';

/** Methods in the spelling of openapi-fetch. */
type HttpMethod = 'get' | 'put' | 'post' | 'delete';

/** An operation of any spec. openapi-fetch's types check little here, because our own types describe the calls. */
interface AnyOperation {
  parameters: { query: Record<string, unknown> };
  requestBody?: { content: { 'application/json': string } };
  responses: { 204: { content?: never } };
}

export type OpenapiClient = Client<Record<string, Record<HttpMethod, AnyOperation>>>;

/** A call that openapi-fetch writes. */
export interface WrittenCall extends Pick<PreparedCall, 'record' | 'path' | 'query'> {
  method: string;
  /** Address of the service and base path of the operation. */
  baseUrl: string;
  /** JSON. */
  body: string | undefined;
  headers: Record<string, string> | undefined;
}

/**
 * Creates the openapi-fetch client of a namespace.
 *
 * @param headers - headers of every request; the headers of a call override them
 */
export function createOpenapiClient(headers: Record<string, string> | undefined): OpenapiClient {
  return createOpenapiFetch({ headers: { accept: 'application/json', ...headers } });
}

/** A reply that openapi-fetch does not read. Our transport reads the real one. */
let unread: Response | undefined;

/** Lets openapi-fetch write a request, which our transport then sends: it can be sent more than once. */
export async function writeRequest(
  client: OpenapiClient,
  { record, method, baseUrl, path, query, body, headers }: WrittenCall,
): Promise<OutgoingRequest> {
  let written: OutgoingRequest | undefined;
  try {
    // The path is filled already, because openapi-fetch's own function lets `..` leave it.
    await client.request(method as HttpMethod, path, {
      baseUrl,
      params: { query },
      body,
      headers,
      // The current one, like fetch.
      Request: globalThis.Request,
      async fetch({ url, headers: merged }: Request): Promise<Response> {
        written = { url, method, headers: Object.fromEntries(merged), body };
        unread ??= new Response(null, { status: 204 });
        return unread;
      },
      // JSON already, because an error of the arguments has the caller on the stack, and a retry needs the text.
      bodySerializer: (json) => json,
    });
  } catch {
    // The arguments are checked before. Omit the cause, because it can contain the value of a header.
  }
  if (written) return written;
  const problem =
    'the platform has no Request that fits its Headers: load one polyfill with fetch, Headers, Request and Response';
  throw new ConfigError(`${record.id}: ${problem}; nothing was sent`);
}
