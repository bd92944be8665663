import createOpenapiFetch, { createQuerySerializer } from 'openapi-fetch';
import { own, type QueryStyle } from '../../shared/operation.ts';
import { BadValue, inside } from './bad-value.ts';
import { ArgumentError } from './errors/local-errors.ts';
import type { OutgoingRequest } from './exchange.ts';
import { writeJson } from './write-json.ts';

/** One call by path, as openapi-fetch needs it. */
export interface OpenapiCall<Result> {
  /** For errors. */
  operationId: string;
  method: string;
  /** Address of the service and base path of the operation. */
  baseUrl: string;
  /** Path template. */
  path: string;
  /** The path with its values. */
  filledPath: string;
  /** The query without `?`. */
  query: string;
  /** JSON. */
  body: string | undefined;
  headers: Record<string, string> | undefined;
  /** Sends the request and reads the reply. */
  send(request: OutgoingRequest): Promise<Result>;
}

/** Writes the request of a call with openapi-fetch, and resolves to the result of the transport. */
export type OpenapiClient = <Result>(call: OpenapiCall<Result>) => Promise<Result>;

/** The part of openapi-fetch's client that is used. */
interface UntypedClient {
  request(method: string, path: string, init: object): Promise<unknown>;
}

/** Replaces `Request` in openapi-fetch. Holds plain values, so that a retried request needs no clone. */
class RequestRecord {
  declare readonly url: string;
  declare readonly method: string;
  declare readonly headers: Headers;
  declare readonly body: string | undefined;

  constructor(url: string, init: Omit<RequestRecord, 'url'>) {
    Object.assign(this, init, { url });
  }
}

const json = 'application/json';

const writeFields = /* @__PURE__ */ createQuerySerializer<object>();

/** Writes parameters with a style of the spec. */
function writeStyled(style: QueryStyle, fields: object): string {
  const object = { style: 'form', explode: true } as const;
  return createQuerySerializer<object>({ array: { style, explode: false }, object })(fields);
}

/**
 * Writes a query. Refuses values that JSON cannot represent. Writes a `Date`, which openapi-fetch would omit, as its JSON string.
 *
 * @param place - path of the values, for errors
 * @param styles - parameters that have not the usual style
 * @throws {@link BadValue} naming the parameter, never its value
 */
export function writeQuery(
  query: Record<string, unknown>,
  place: string,
  styles: Readonly<Record<string, QueryStyle>> = {},
): string {
  const parts = Object.entries(query).map(([name, given]) => {
    // Omitted, as in JSON.
    if (given === undefined) return '';
    const value: unknown = JSON.parse(writeJson(given, inside(place, name)));
    try {
      const style = own(styles, name);
      return style ? writeStyled(style, { [name]: value }) : writeFields({ [name]: value });
    } catch {
      // An object in a list, or a string that is not well-formed Unicode. Omit the cause, because it can contain the value.
      throw new BadValue(inside(place, name), 'cannot be written in a URL');
    }
  });
  return parts.filter(Boolean).join('&');
}

/**
 * Creates the openapi-fetch client of a namespace. It writes URL, headers and body. Its `fetch` is our transport.
 *
 * @param headers - headers of every request; the headers of a call override them
 */
export function createOpenapiClient(headers: Record<string, string> | undefined): OpenapiClient {
  // The types of openapi-fetch require a complete `Request` class, but it only constructs one and passes it to `fetch`.
  const recording = RequestRecord as unknown as typeof Request;
  // Its generic types describe the paths of one spec. Our own types describe the calls.
  const client = createOpenapiFetch({ Request: recording, headers }) as unknown as UntypedClient;
  // openapi-fetch does not read a body with this status. The transport has read the real reply.
  const answered = new Response(null, { status: 204 });

  return async <Result>(call: OpenapiCall<Result>): Promise<Result> => {
    let answer: Promise<Result> | undefined;
    const fetch = async ({ url, method, headers: written, body }: RequestRecord): Promise<Response> => {
      // Iterating `Headers` is slow, so do it only if the caller added headers.
      const added = (call.headers ?? headers) ? Object.fromEntries(written) : body && { 'content-type': json };
      answer = call.send({ url, method, body, headers: { accept: json, ...added } });
      return answered;
    };
    try {
      // Path, query and body are already written, synchronously, so that the stack trace of an error contains the caller.
      await client.request(call.method, call.path, {
        baseUrl: call.baseUrl,
        body: call.body,
        headers: call.headers,
        fetch,
        pathSerializer: () => call.baseUrl + call.filledPath,
        querySerializer: () => call.query,
        bodySerializer: (body: string) => body,
        params: { path: {}, query: {} },
      });
    } catch {
      // Only the headers of the client can fail here. Omit the cause, because it can contain the value.
    }
    // Awaited here, because openapi-fetch would lose an abort reason of `null`.
    if (!answer) throw new ArgumentError(`${call.operationId}: a header is not valid; nothing was sent`);
    return await answer;
  };
}
