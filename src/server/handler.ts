/** A request that the server has read. */
export interface PlainRequest {
  method: string;
  url: URL;
  /** Looks up a header by its name in lower case. */
  headers: { get(name: string): string | null };
  /** Body, or an empty text. */
  text: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** A reply that the server writes as it is. */
export interface PlainReply {
  status: number;
  headers: Record<string, string>;
  /** Body, or `null`. */
  text: string | null;
}

/** Answers with plain values: fast, because no `Request` and no `Response` is made. */
export interface PlainHandler {
  respond(request: PlainRequest): Promise<PlainReply>;
}

/** Answers a `Request` with a `Response`. */
export interface FetchHandler {
  fetch(request: Request): Response | Promise<Response>;
}

/**
 * What the server can serve; `respond` is preferred if a handler has both. If it throws an error named
 * `DroppedConnection`, the server resets the connection.
 */
export type Handler = PlainHandler | FetchHandler;
