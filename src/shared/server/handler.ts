import type { BodyDelivery } from '../delivery.ts';

/** A request that the server has read. */
export interface ServerRequest {
  method: string;
  url: URL;
  /** Looks up a header by its name in lower case. */
  headers: { get(name: string): string | null; forEach(act: (value: string, name: string) => void): void };
  /** Body, or an empty string. */
  readonly text: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A response that the server writes directly. */
export interface HandlerResponse {
  status: number;
  headers: Record<string, string>;
  /** Body, or `null`. */
  text: string | null;
  /** How the body is sent, if not all at once. */
  delivery?: BodyDelivery;
}

/** Handles requests as plain values. This is fast because it creates no `Request` and no `Response`. */
export interface PlainHandler {
  respond(request: ServerRequest): Promise<HandlerResponse>;
}

/** Handles a `Request` and returns a `Response`. */
export interface FetchHandler {
  fetch(request: Request): Response | Promise<Response>;
}

/**
 * A handler that the server accepts. If a handler has both methods, the server uses `respond`. If the handler throws an
 * error named `DroppedConnection`, the server resets the connection.
 */
export type ServerHandler = PlainHandler | FetchHandler;
