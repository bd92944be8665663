import createFetchClient from 'openapi-fetch';
import type { Answer, OutgoingRequest } from './transport.ts';

/** What a call by path is made of, as openapi-fetch takes it. */
export interface RequestDescription {
  baseUrl: string;
  params: { path?: Record<string, unknown>; query?: Record<string, unknown> } | undefined;
  body: unknown;
  headers: Record<string, string> | undefined;
}

export type RequestBuilder = (
  method: string,
  path: string,
  description: RequestDescription,
  send: (request: OutgoingRequest) => Promise<Answer>,
) => Promise<Answer>;

/** Built instead of a `Request`: the parts, without the cost of one. */
class RequestParts {
  constructor(url: string, init: object) {
    Object.assign(this, init, { url });
  }
}

interface Exchange {
  send: (request: OutgoingRequest) => Promise<Answer>;
  answer?: Answer;
}

/** The side of openapi-fetch that is used; its own types describe a `Request` and infer paths, at a cost. */
type FetchClientFactory = (options: {
  headers: Record<string, string>;
  Request: typeof RequestParts;
  fetch(parts: OutgoingRequest & { exchange: Exchange }): Promise<typeof alreadyRead>;
}) => {
  request(method: string, path: string, init: RequestDescription & { exchange: Exchange }): Promise<unknown>;
};

/** Ends openapi-fetch's own reading of an answer, which has no deadline and no error for what is unreadable. */
const alreadyRead = { ok: true, status: 204, headers: new Headers() };

/** Serialises path, query, headers and body by openapi-fetch, and hands the request to `send`. */
export function createRequestBuilder(headers: Record<string, string>): RequestBuilder {
  const { request } = (createFetchClient as unknown as FetchClientFactory)({
    headers,
    Request: RequestParts,
    async fetch({ exchange, ...parts }) {
      exchange.answer = await exchange.send(parts);
      return alreadyRead;
    },
  });
  return async (method, path, description, send) => {
    const exchange: Exchange = { send };
    await request(method, path, { ...description, exchange });
    if (!exchange.answer) throw new Error('openapi-fetch did not send the request');
    return exchange.answer;
  };
}
