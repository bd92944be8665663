import createOpenapiFetch, { type ClientOptions, createQuerySerializer } from 'openapi-fetch';
import { ArgumentError } from './errors/local-errors.ts';
import type { OutgoingRequest } from './exchange.ts';
import { problemOf, writeJson } from './write-json.ts';

/** One call by path, as openapi-fetch takes it. */
export interface OpenapiCall<Result> {
  /** Used in errors. */
  operationId: string;
  method: string;
  /** Address of the service and base path of the operation. */
  baseUrl: string;
  /** Path template. */
  path: string;
  params: { path: Record<string, unknown>; query: Record<string, unknown> | undefined };
  body: unknown;
  headers: Record<string, string> | undefined;
  /** Fills the path template, which follows the base URL. */
  pathSerializer(url: string, values: Record<string, unknown>): string;
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

/** What JSON cannot hold is no search term either. A `Date`, which openapi-fetch would leave out, is text in JSON. */
function writeCheckedQuery(query: Record<string, unknown>): string {
  // Most calls have none.
  return Object.keys(query).length > 0 ? writeQuery(JSON.parse(writeJson(query))) : '';
}

const noHeaders = new Map();
const json = 'application/json';

const writeQuery = /* @__PURE__ */ createQuerySerializer();

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
    const { operationId } = call;
    const send: RequestRecord['send'] = ({ url, method, headers: own, body }) => {
      // Iterating `Headers` is slow, so it is done only if somebody added a header.
      const added = (call.headers ?? headers) ? Object.fromEntries(own) : body && { 'content-type': json };
      return call.send({ url, method, body, headers: { accept: json, ...added } });
    };
    const serialize =
      <Value>(write: (value: Value) => string) =>
      (value: Value): string => {
        try {
          return write(value);
        } catch (cause) {
          throw new ArgumentError(`${operationId}: parameters ${problemOf(cause)}; nothing was sent`, { cause });
        }
      };
    let written: { data: [Promise<never>] };
    try {
      written = await client.request(call.method, call.path, {
        ...call,
        send,
        querySerializer: serialize(writeCheckedQuery),
        bodySerializer: serialize(writeJson),
        parseAs: 'stream',
      });
    } catch (error) {
      if (error instanceof ArgumentError) throw error;
      // Only headers remain. The cause is left out: it can contain the value.
      throw new ArgumentError(`${operationId}: a header is not valid; nothing was sent`);
    }
    return written.data[0];
  };
}
