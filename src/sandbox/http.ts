/** A request that has been read, from the arguments of `fetch` or by a server. */
export interface PlainRequest {
  method: string;
  url: URL;
  /** Looks up a header by its name in lower case. */
  headers: { get(name: string): string | null };
  /** Body, or an empty string. */
  text: string;
  readonly signal: AbortSignal | null;
}

/** A reply before it is sent. `fetch` turns it into a `Response`; a server writes it directly. */
export interface PlainReply {
  status: number;
  /** Header names are in lower case. */
  headers: Record<string, string>;
  /** Body, or `null`. */
  text: string | null;
}

/**
 * Reads the arguments of `fetch`: a `Request`, or a URL with `init`. A URL with a text body needs no `Request`. Rejects
 * with the signal's reason if the request is already aborted.
 */
export async function readRequest(input: Request | string | URL, init?: RequestInit): Promise<PlainRequest> {
  init?.signal?.throwIfAborted();
  const { body } = init ?? {};
  if (typeof input === 'string' || input instanceof URL) {
    if (body === undefined || body === null || typeof body === 'string') {
      return {
        method: (init?.method ?? 'GET').toUpperCase(),
        url: new URL(input),
        headers: new Headers(init?.headers),
        text: body ?? '',
        signal: init?.signal ?? null,
      };
    }
  }
  // Servers and mocks have their own Request classes. Some runtimes cannot wrap them in a Request, so read them
  // directly.
  const request = init === undefined && isRequest(input) ? input : new Request(input, init);
  request.signal.throwIfAborted();
  return {
    method: request.method,
    url: new URL(request.url),
    headers: request.headers,
    text: request.body === null ? '' : await request.text(),
    signal: request.signal,
  };
}

function isRequest(input: Request | string | URL): input is Request {
  return typeof input === 'object' && !(input instanceof URL);
}

export function jsonReply(status: number, body: unknown, headers: Record<string, string> = {}): PlainReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, text: JSON.stringify(body) };
}

export function emptyReply(status: number, headers: Record<string, string> = {}): PlainReply {
  return { status, headers, text: null };
}

export function toResponse({ status, headers, text }: PlainReply): Response {
  return new Response(text, { status, headers });
}
