/** An answer as a server writes it; `fetch` makes a `Response` of it. */
export interface Reply {
  status: number;
  /** By names in lower case. */
  headers: Record<string, string>;
  /** The body; null where there is none. */
  text: string | null;
}

export function jsonReply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, text: JSON.stringify(body) };
}

export function emptyReply(status: number, headers: Record<string, string> = {}): Reply {
  return { status, headers, text: null };
}

export function toResponse({ status, headers, text }: Reply): Response {
  return new Response(text, { status, headers });
}
