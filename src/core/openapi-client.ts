import createOpenapiFetch, { type ClientOptions, createQuerySerializer } from 'openapi-fetch';
import { BadValue, inside } from './bad-value.ts';
import { ArgumentError } from './errors/local-errors.ts';
import type { OutgoingRequest } from './exchange.ts';
import { writeJson } from './write-json.ts';

/** One call by path, as openapi-fetch takes it. */
export interface OpenapiCall<Result> {
  /** Used in errors. */
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

/** Writes the request of a call by openapi-fetch, and resolves to what the transport answers. */
export type OpenapiClient = <Result>(call: OpenapiCall<Result>) => Promise<Result>;

/** Replaces `Request`: it only records what openapi-fetch writes, so a retry clones nothing. */
class RequestRecord {
  declare readonly url: string;
  declare readonly method: string;
  declare readonly headers: Headers;
  declare readonly body: string | undefined;
  declare readonly send: (request: RequestRecord) => Promise<unknown>;

  constructor(url: string, init: Omit<RequestRecord, 'url'>) {
    Object.assign(this, init, { url });
  }
}

const noHeaders = new Map();
const json = 'application/json';

const writeFields = /* @__PURE__ */ createQuerySerializer<object>();

/**
 * Writes a query. What JSON cannot hold is no search term either. A `Date`, which openapi-fetch would leave out, is text in JSON.
 *
 * @param place - where the values are, for errors
 * @throws {@link BadValue} naming the parameter, never its value
 */
export function writeQuery(query: Record<string, unknown>, place: string): string {
  const parts = Object.entries(query).map(([name, given]) => {
    // Left out, as JSON leaves it out.
    if (given === undefined) return '';
    const value: unknown = JSON.parse(writeJson(given, inside(place, name)));
    try {
      return writeFields({ [name]: value });
    } catch {
      // An object in a list, or a text that is not well-formed Unicode. The cause is left out: it can contain the value.
      throw new BadValue(inside(place, name), 'cannot be written in a URL');
    }
  });
  return parts.filter(Boolean).join('&');
}

/**
 * Creates the one openapi-fetch client of a namespace. It writes URL, headers and body; our transport is its `fetch`.
 *
 * @param headers - headers of every request; those of a call override them
 */
export function createOpenapiClient(headers: Record<string, string> | undefined): OpenapiClient {
  const options = {
    Request: RequestRecord,
    headers,
    // All that openapi-fetch reads of a response; with `parseAs: 'stream'` it returns `body` as `data`. It must not wait for
    // the answer: it would lose a reason of an abort such as `null`.
    fetch: (request: RequestRecord) => ({ ok: true, headers: noHeaders, body: [request.send(request)] }),
  };
  // Cast 1: openapi-fetch's types demand a full `Request` and `Response`; it reads only what is above.
  const untyped: unknown = createOpenapiFetch(options as unknown as ClientOptions);
  // Cast 2: its generics describe one spec and a stream; our own types describe the calls.
  const client = untyped as {
    request(method: string, path: string, init: object): Promise<{ data: [Promise<never>] }>;
  };

  return async (call) => {
    const send: RequestRecord['send'] = ({ url, method, headers: own, body }) => {
      // Iterating `Headers` is slow, so it is done only if somebody added a header.
      const added = (call.headers ?? headers) ? Object.fromEntries(own) : body && { 'content-type': json };
      return call.send({ url, method, body, headers: { accept: json, ...added } });
    };
    let written: { data: [Promise<never>] };
    try {
      // Path, query and body are written before, in the stack of the program, so that an error shows where it made the call.
      written = await client.request(call.method, call.path, {
        baseUrl: call.baseUrl,
        body: call.body,
        headers: call.headers,
        send,
        params: { path: {}, query: {} },
        pathSerializer: () => call.baseUrl + call.filledPath,
        querySerializer: () => call.query,
        bodySerializer: (body: string) => body,
        parseAs: 'stream',
      });
    } catch {
      // Only headers of the client remain. The cause is left out: it can contain the value.
      throw new ArgumentError(`${call.operationId}: a header is not valid; nothing was sent`);
    }
    return written.data[0];
  };
}
