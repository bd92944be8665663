/**
 * Options of the HTTP server for the sandbox, the mock and the docs. The server uses `node:http`, so that the published
 * packages need no dependency for it. The server reads the whole request body before it calls the handler.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BodyDelivery, deliver } from '../delivery.ts';
import { messageOf } from '../message-of.ts';
import { corsHeaders, policyHeader, preflightResponse } from './cors.ts';
import type { HandlerResponse, ServerHandler } from './handler.ts';
import { toListenError } from './listen-error.ts';
import { problemResponse } from './problem.ts';
import { BodyTooLarge, PlainServerRequest, readBody, toWebRequest } from './read-request.ts';

export interface ServeOptions {
  /** Port to listen on; 0 selects any free port. */
  port: number;
  /** Address to listen on. @default '127.0.0.1', which other machines cannot reach */
  host?: string;
  /** Maximum size of a request body, in bytes. @default 16 MiB */
  maxBodySize?: number;
  /** Whether pages from any origin can send requests. @default true */
  isOpen?: boolean;
  /** Called after each response. */
  onResponse?: (served: ServedRequest) => void;
}

/** A request and its response. */
export interface ServedRequest {
  method: string;
  /** Path and query as sent. */
  target: string;
  /** HTTP status; 0 if the connection was dropped. */
  status: number;
  /** Looks up a header of the response by its name in lower case. */
  header(name: string): string | null;
  /** Time from the arrival of the request to its response. */
  milliseconds: number;
}

export interface RunningServer {
  /** URL of the server, without a trailing slash. */
  url: string;
  /** Stops listening, waits up to one second for open requests, then closes their connections. */
  close(): Promise<void>;
}

const graceMilliseconds = 1_000;

/**
 * Starts an HTTP server. By default, pages from any origin can send requests. Rejects with a `ListenError` if the server cannot
 * listen.
 */
export async function serve(handler: ServerHandler, options: ServeOptions): Promise<RunningServer> {
  const { port, host = '127.0.0.1', maxBodySize = 16 * 1024 * 1024, isOpen = true, onResponse } = options;
  const server = createServer(
    (request, response) => void respondTo({ handler, maxBodySize, isOpen, onResponse }, request, response),
  );
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw toListenError(error, host, port);
  }
  let closed: Promise<void> | undefined;
  return {
    url: reachableUrl(server.address()),
    close() {
      closed ??= closeGently(server);
      return closed;
    },
  };
}

interface ServerSettings {
  handler: ServerHandler;
  maxBodySize: number;
  isOpen: boolean;
  onResponse: ServeOptions['onResponse'];
}

async function respondTo(settings: ServerSettings, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { onResponse } = settings;
  const begun = performance.now();
  const result = await handle(settings, request, response);
  if (!onResponse) return;
  const { method = '', url: target = '' } = request;
  const { status, headers = {} } = result;
  const header = (name: string) => (headers instanceof Headers ? headers.get(name) : (headers[name] ?? null));
  onResponse({ method, target, status, header, milliseconds: performance.now() - begun });
}

/** Parts of a response that `onResponse` receives. */
type Written = { status: number; headers?: Headers | Record<string, string> };

async function handle(
  { handler, maxBodySize, isOpen }: ServerSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Written> {
  const signal = abortOnDisconnect(response);
  if (ending.has(request.socket)) {
    request.socket.resetAndDestroy();
    return { status: 0 };
  }
  try {
    const body = await readBody(request, maxBodySize);
    const preflight = isOpen ? preflightResponse(request) : undefined;
    if (preflight) return await written(preflight, response);
    if (response.destroyed) return { status: 0 };
    if ('respond' in handler)
      return await written(await handler.respond(new PlainServerRequest(request, body, signal)), response, signal);
    const result = await handler.fetch(toWebRequest(request, body, signal()));
    await writeWebResponse(result, response);
    return result;
  } catch (error) {
    return respondToFailure(error, request, response);
  }
}

/** Returns the signal that aborts when the client disconnects. Few handlers need it, so the signal is created on demand. */
function abortOnDisconnect(response: ServerResponse): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (controller) return controller.signal;
    const gone = new AbortController();
    controller = gone;
    const check = () => {
      if (!response.writableFinished) gone.abort();
    };
    if (response.closed) check();
    else response.once('close', check);
    return gone.signal;
  };
}

async function written(
  result: HandlerResponse,
  response: ServerResponse,
  signal?: () => AbortSignal,
): Promise<HandlerResponse> {
  if (result.delivery) await writeInParts(result, result.delivery, response, signal?.());
  else await writePlainResponse(result, response);
  return result;
}

async function respondToFailure(error: unknown, request: IncomingMessage, response: ServerResponse): Promise<Written> {
  if (error instanceof Error && error.name === 'DroppedConnection') request.socket.resetAndDestroy();
  if (response.destroyed || request.socket.destroyed) return { status: 0 };
  if (error instanceof BodyTooLarge) {
    // The rest of the body stays unread, so the connection cannot be reused.
    return written(problemResponse(413, error.message, { headers: { connection: 'close' } }), response);
  }
  const reason = messageOf(error);
  console.error(`${request.method} ${request.url?.replace(/\?.*/s, '')} failed: ${reason}`);
  // A response that has started cannot be replaced.
  if (!response.headersSent) return written(problemResponse(500, `The server failed: ${reason}`), response);
  response.destroy();
  return { status: 0 };
}

async function closeGently(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  const ended = once(server, 'close');
  server.close();
  await ended;
  clearTimeout(force);
}

/** URL of the server. If it listens on all addresses, this is the loopback address. */
function reachableUrl(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const { port, family } = address;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address.address] ?? address.address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

async function writePlainResponse({ status, headers, text }: HandlerResponse, response: ServerResponse): Promise<void> {
  // Handle all requests that have arrived before writing. Their responses are then sent together and wake the client once.
  await nextTurn();
  // With a known length, a response is a single write instead of several chunks.
  const length = text === null ? {} : { 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...corsHeaders(policyHeader in headers), ...length }).end(text);
}

/** Connections that are reset at their next request. */
const ending = new WeakSet<Socket>();

/** Writes a body that does not arrive at once. */
async function writeInParts(
  { status, headers, text }: HandlerResponse,
  delivery: BodyDelivery,
  response: ServerResponse,
  signal: AbortSignal | undefined,
): Promise<void> {
  const body = text ?? '';
  if (delivery.drop === 'after-body' && response.socket) ending.add(response.socket);
  const length = text === null ? {} : { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...corsHeaders(policyHeader in headers), ...length });
  response.flushHeaders();
  const dropped = () => Object.assign(new Error('The connection is dropped'), { name: 'DroppedConnection' });
  for await (const part of deliver(body, delivery, dropped, signal)) {
    // Wait until the part is sent, because the connection may be reset afterwards.
    await new Promise<void>((resolve) => response.write(part, () => resolve()));
  }
  response.end();
}

async function writeWebResponse(result: Response, response: ServerResponse): Promise<void> {
  response.statusCode = result.status;
  if (result.statusText) response.statusMessage = result.statusText;
  for (const [name, value] of result.headers) response.appendHeader(name, value);
  for (const [name, value] of Object.entries(corsHeaders(result.headers.has(policyHeader))))
    response.setHeader(name, value);
  if (result.body) await pipeline(Readable.fromWeb(result.body as ReadableStream), response);
  else response.end();
}
