/** A request as the sandbox reads it, from whatever `fetch` was called with. */
export interface Incoming {
  method: string;
  url: URL;
  authorization: string | null;
  text: string;
  signal: AbortSignal | null;
}

/** Reads what `fetch` takes: a `Request`, or an address with `init`. The second costs no `Request`. */
export async function readIncoming(input: Request | string | URL, init?: RequestInit): Promise<Incoming> {
  const { body } = init ?? {};
  if (typeof input === 'string' || input instanceof URL) {
    if (body === undefined || body === null || typeof body === 'string') {
      return {
        method: (init?.method ?? 'GET').toUpperCase(),
        url: new URL(input),
        authorization: new Headers(init?.headers).get('authorization'),
        text: body ?? '',
        signal: init?.signal ?? null,
      };
    }
  }
  // A Request is read as it is: servers and mocks have classes of their own, which not every runtime's own can wrap.
  const request = init === undefined && isRequest(input) ? input : new Request(input, init);
  return {
    method: request.method,
    url: new URL(request.url),
    authorization: request.headers.get('authorization'),
    text: request.body === null ? '' : await request.text(),
    signal: request.signal,
  };
}

function isRequest(input: Request | string | URL): input is Request {
  return typeof input === 'object' && !(input instanceof URL);
}
