import createOpenapiFetch, { type Client } from 'openapi-fetch';
import { ConfigError } from './errors/local-errors.ts';
import type { PreparedCall } from './prepare.ts';

/** Methods in the spelling of openapi-fetch. */
type HttpMethod = 'get' | 'put' | 'post' | 'delete';

/** An operation of any spec. openapi-fetch's types check little here, because our own types describe the calls. */
interface AnyOperation {
  parameters: { path: Record<string, string>; query: Record<string, unknown> };
  requestBody?: { content: { 'application/json': string } };
  responses: { 200: { content: { 'text/plain': string } }; default: { content: { 'text/plain': unknown } } };
}

export type OpenapiClient = Client<Record<string, Record<HttpMethod, AnyOperation>>>;

/** A call that openapi-fetch writes, for each attempt anew. */
export interface OutgoingCall {
  method: string;
  /** Path template. */
  path: string;
  params: Pick<PreparedCall, 'path' | 'query'>;
  /** Address of the service and base path of the operation. */
  baseUrl: string;
  /** JSON already, because an error of the arguments has the caller on the stack. */
  body: string | undefined;
  headers: Record<string, string> | undefined;
}

/** A response whose body openapi-fetch has read. */
export interface OpenapiResult {
  response: Response;
  /** Body of a success, as a string. `undefined` for a 204 and a `Content-Length` of 0, whose bodies are not read. */
  data?: string | undefined;
  /** Body of a failure: parsed JSON, or a string if it is not JSON. */
  error?: unknown;
}

/** A request of openapi-fetch that waits for its response. */
export interface WrittenRequest {
  request: Request;
  /** Passes the response to openapi-fetch, which reads its body. */
  read(response: Response): Promise<OpenapiResult>;
}

/**
 * Creates the openapi-fetch client of a product.
 *
 * @param headers - headers of every request; the headers of a call override them
 */
export function createOpenapiClient(headers: Record<string, string> | undefined): OpenapiClient {
  return createOpenapiFetch({ headers: { accept: 'application/json', ...headers } });
}

/**
 * Starts a request of openapi-fetch. It calls `fetch` at once, and waits for the response, which the caller gets. So a failure to get
 * one does not pass through openapi-fetch, which would change a rejection with `null`.
 *
 * @throws {@link ConfigError} if the platform cannot write the request
 */
export function writeRequest(
  client: OpenapiClient,
  { method, path, params, baseUrl, body, headers }: OutgoingCall,
): WrittenRequest {
  let request: Request | undefined;
  let pass: (response: Response) => void;
  const result = client.request(method as HttpMethod, path, {
    baseUrl,
    params,
    body,
    headers,
    parseAs: 'text',
    bodySerializer: asIs,
    // The current one, like fetch.
    Request: globalThis.Request,
    fetch(written: Request) {
      request = written;
      return new Promise<Response>((resolve) => {
        pass = resolve;
      });
    },
  });
  if (!request) {
    // The arguments are checked before. Omit the cause, because it can contain the value of a header.
    result.catch(() => undefined);
    throw new ConfigError(
      'the platform has no Request that fits its Headers: load one polyfill with fetch, Headers, Request and Response; nothing was sent',
    );
  }
  return {
    request,
    read(response) {
      pass(response);
      return result;
    },
  };
}

function asIs<Given>(given: Given): Given {
  return given;
}
