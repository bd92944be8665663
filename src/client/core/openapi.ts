import createOpenapiFetch, { type Client } from 'openapi-fetch';
import { ConfigError } from './errors/local-errors.ts';
import type { ReadResponse } from './exchange.ts';
import type { PreparedCall } from './prepare.ts';
import { type Sending, send } from './send.ts';

/** Methods in the spelling of openapi-fetch. */
type HttpMethod = 'get' | 'put' | 'post' | 'delete';

/** An operation of any spec. openapi-fetch's types check little here, because our own types describe the calls. */
interface AnyOperation {
  parameters: { path: Record<string, string>; query: Record<string, unknown> };
  requestBody?: { content: { 'application/json': string } };
  responses: { 204: { content?: never } };
}

export type OpenapiClient = Client<Record<string, Record<HttpMethod, AnyOperation>>>;

/** A call that openapi-fetch writes. */
export interface WrittenCall extends Pick<PreparedCall, 'record' | 'path' | 'query'> {
  method: string;
  /** Path template. */
  template: string;
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

/** Writes a request with openapi-fetch, and sends it with our transport as `fetch`. */
export async function request(
  client: OpenapiClient,
  { record, method, template, baseUrl, path, query, body, headers }: WrittenCall,
  sending: Sending,
): Promise<ReadResponse> {
  /** A value, because openapi-fetch would lose an abort reason such as `null`. */
  let outcome: { read: ReadResponse } | { error: unknown } | undefined;
  const fetch = async ({ url, headers: merged }: Request): Promise<Response> => {
    try {
      outcome = { read: await send({ url, method, headers: Object.fromEntries(merged), body }, sending) };
    } catch (error) {
      outcome = { error };
    }
    // openapi-fetch does not read a body with this status. The transport has read the real response.
    return new Response(null, { status: 204 });
  };
  try {
    await client.request(method as HttpMethod, template, {
      baseUrl,
      params: { path, query },
      body,
      headers,
      // The current one, like fetch.
      Request: globalThis.Request,
      fetch,
      // Fills the template alone, because openapi-fetch passes it with the base URL.
      pathSerializer: () => baseUrl + fillPath(template, path),
      // JSON already, because an error of the arguments has the caller on the stack, and a retry needs the text.
      bodySerializer: (json) => json,
    });
  } catch {
    // The arguments are checked before. Omit the cause, because it can contain the value of a header.
  }
  if (!outcome) {
    const problem =
      'the platform has no Request that fits its Headers: load one polyfill with fetch, Headers, Request and Response';
    throw new ConfigError(`${record.id}: ${problem}; nothing was sent`);
  }
  if ('error' in outcome) throw outcome.error;
  return outcome.read;
}

/** Fills a path template with values that are checked. openapi-fetch's own function lets `..` leave the path. */
export function fillPath(template: string, values: Record<string, unknown>): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
