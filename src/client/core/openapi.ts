import createOpenapiFetch, { type Client } from 'openapi-fetch';
import { ConfigError } from './errors/local-errors.ts';
import type { PreparedCall } from './prepare.ts';

/** HTTP methods as openapi-fetch spells them. */
type HttpMethod = 'get' | 'put' | 'post' | 'delete';

/** An operation of any spec. This type lets openapi-fetch check little, because the client's own types describe the calls. */
interface AnyOperation {
  parameters: { path: Record<string, string>; query: Record<string, unknown> };
  requestBody?: { content: { 'application/json': string } };
  responses: { 200: { content: { 'text/plain': string } }; default: { content: { 'text/plain': unknown } } };
}

export type OpenapiClient = Client<Record<string, Record<HttpMethod, AnyOperation>>>;

/** A call from which openapi-fetch creates a new request for each attempt. */
export interface OutgoingCall {
  method: string;
  /** Path template. */
  path: string;
  params: Pick<PreparedCall, 'path' | 'query'>;
  /** Address of the service and base path of the operation. */
  baseUrl: string;
  /**
   * Body as JSON. The client serializes the body before its first asynchronous step, so that the stack trace of an error in the
   * arguments includes the caller.
   */
  body: string | undefined;
  headers: Record<string, string> | undefined;
}

/** A response whose body openapi-fetch has read. */
export interface OpenapiResult {
  response: Response;
  /**
   * Body of a successful response, as a string. `undefined` for status 204 and for a `Content-Length` of 0, because such bodies
   * are not read.
   */
  data?: string | undefined;
  /** Body of a failed response: parsed JSON, or a string if the body is not JSON. */
  error?: unknown;
}

/** A request of openapi-fetch that is waiting for its response. */
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
 * Starts a request with openapi-fetch, which waits until the caller passes a response to `read`. The caller itself sends the
 * request. A failed `fetch` therefore bypasses openapi-fetch, which would alter a rejection whose reason is `null`.
 *
 * @throws {@link ConfigError} if the platform cannot construct the request
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
    // The current global `Request`, as for `fetch`.
    Request: globalThis.Request,
    fetch(written: Request) {
      request = written;
      return new Promise<Response>((resolve) => {
        pass = resolve;
      });
    },
  });
  if (!request) {
    // The arguments have already been checked. Omit the cause, because it can contain the value of a header.
    result.catch(() => undefined);
    throw new ConfigError(
      'the platform has no Request that works with its Headers: load one polyfill that provides fetch, Headers, Request and Response; nothing was sent',
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
