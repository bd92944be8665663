import { type BodyDelivery, deliver } from '../../shared/delivery.ts';

/**
 * Error with which the sandbox's `fetch` rejects if a fault drops the connection. It is a `TypeError`, like the network errors
 * of a real `fetch`.
 */
export class DroppedConnection extends TypeError {
  /** Always `DroppedConnection`. */
  override readonly name = 'DroppedConnection';
}

/** Headers of a request, such as a `Headers` object. */
export interface PlainHeaders {
  /** Looks up a header by its name in lower case. */
  get(name: string): string | null;
  forEach(act: (value: string, name: string) => void): void;
}

/** A request, as read from the arguments of `fetch` or by a server. */
export interface PlainRequest {
  method: string;
  url: URL;
  headers: PlainHeaders;
  /** The body, or an empty string if the request has no body. */
  readonly text: string;
  readonly signal: AbortSignal | null;
}

/** A response that has not been sent yet. `fetch` turns the response into a `Response`; a server writes it directly. */
export interface PlainResponse {
  status: number;
  /** Header names are in lower case. */
  headers: Record<string, string>;
  /** The body, or `null` if the response has no body. */
  text: string | null;
  /** How the body is delivered, if a fault delays the body or drops the connection. */
  delivery?: BodyDelivery;
}

/**
 * Reads the arguments of `fetch`: a `Request`, or a URL with `init`. For a URL with a string body, no `Request` is created.
 * Rejects with the signal's reason if the request is already aborted.
 */
export async function readRequest(input: Request | string | URL, init?: RequestInit): Promise<PlainRequest> {
  init?.signal?.throwIfAborted();
  const { body } = init ?? {};
  const isUrl = typeof input === 'string' || input instanceof URL;
  if (isUrl && (body === undefined || body === null || typeof body === 'string'))
    return {
      method: (init?.method ?? 'GET').toUpperCase(),
      url: new URL(input),
      headers: new Headers(init?.headers),
      text: body ?? '',
      signal: init?.signal ?? null,
    };
  // Servers and mocks have their own Request classes. Some runtimes cannot wrap them in a Request, so read them
  // directly.
  const request = isUrl || init ? new Request(input, init) : input;
  request.signal.throwIfAborted();
  return {
    method: request.method,
    url: new URL(request.url),
    headers: request.headers,
    text: request.body === null ? '' : await request.text(),
    signal: request.signal,
  };
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): PlainResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, text: JSON.stringify(body) };
}

export function emptyResponse(status: number, headers: Record<string, string> = {}): PlainResponse {
  return { status, headers, text: null };
}

export function toResponse({ status, headers, text, delivery }: PlainResponse, signal?: AbortSignal | null): Response {
  const body = text !== null && delivery ? toStream(deliver(text, delivery, droppedInBody, signal)) : text;
  return new Response(body, { status, headers });
}

function toStream(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

function droppedInBody(): DroppedConnection {
  return new DroppedConnection('The sandbox dropped the connection partway through the body');
}
