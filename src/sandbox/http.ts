/** A request that has been read, from whatever `fetch` was called with or from a server. */
export interface PlainRequest {
  method: string;
  url: URL;
  /** Looks up a header by its name in lower case. */
  headers: { get(name: string): string | null };
  /** Body, or an empty text. */
  text: string;
  signal: AbortSignal | null;
}

/** A reply before it is written: `fetch` makes a `Response` of it, a server writes it as it is. */
export interface PlainReply {
  status: number;
  /** By names in lower case. */
  headers: Record<string, string>;
  /** Body, or `null`. */
  text: string | null;
}

/** Reads what `fetch` takes: a `Request`, or an address with `init`. The second form needs no `Request`. */
export async function readRequest(input: Request | string | URL, init?: RequestInit): Promise<PlainRequest> {
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
  // Servers and mocks have Request classes of their own, which not every runtime's Request can wrap: read them as they are.
  const request = init === undefined && isRequest(input) ? input : new Request(input, init);
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
