import type { ServerRequest } from 'srvx';
import { serve as listen } from 'srvx/node';
import { toListenError } from '../../src/bin/listen-error.ts';
import { DroppedConnection } from '../../src/sandbox/dropped-connection.ts';
import { allowEveryOrigin } from './cors.ts';
import { problem } from './problem.ts';

/** Anything that answers a Request with a Response: the mock, the sandbox. */
export interface FetchHandler {
  fetch(request: Request): Response | Promise<Response>;
}

export interface ServeOptions {
  /** Port 0 takes any free one. */
  port: number;
  /** @default '127.0.0.1', so that other machines cannot reach it */
  host?: string;
  /** The largest request body, in bytes. @default 16 MiB */
  maxBodySize?: number;
}

export interface RunningServer {
  /** Where it answers, without a trailing slash. */
  url: string;
  /** Stops listening, lets open requests end for a second, then cuts what is left. */
  close(): Promise<void>;
}

const graceMilliseconds = 1000;

/** Serves a fetch handler over HTTP, open to pages of every origin. Rejects with a ListenError that says what to do. */
export async function serve(handler: FetchHandler, options: ServeOptions): Promise<RunningServer> {
  const { port, host = '127.0.0.1', maxBodySize = 16 * 1024 * 1024 } = options;
  const server = listen({
    fetch: allowEveryOrigin(answerFailures(handler, maxBodySize)),
    port,
    hostname: host,
    maxRequestBodySize: maxBodySize,
    gracefulShutdown: false,
    manual: true,
    silent: true,
  });
  try {
    await server.serve();
  } catch (error) {
    throw toListenError(error, host, port);
  }
  let closed: Promise<void> | undefined;
  return {
    url: reachableUrl(server.url),
    close() {
      closed ??= closeGently(server);
      return closed;
    },
  };
}

/** A handler that throws answers 413 or 500 in JSON, so that a page sees more than a network error. */
function answerFailures(handler: FetchHandler, maxBodySize: number): FetchHandler['fetch'] {
  return async (request: ServerRequest) => {
    try {
      return await handler.fetch(request);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BODY_TOO_LARGE') {
        // What is left of the body is not read, so the connection cannot be used again.
        return problem(413, `The request body is larger than ${maxBodySize} bytes.`, {
          headers: { connection: 'close' },
        });
      }
      if (error instanceof DroppedConnection) request.runtime?.node?.req.socket.resetAndDestroy();
      if (error instanceof DroppedConnection || request.signal.aborted) return new Response(null, { status: 499 });
      const reason = error instanceof Error ? error.message : String(error);
      console.error(`${request.method} ${new URL(request.url).pathname} failed: ${reason}`);
      return problem(500, `The local server failed: ${reason}`);
    }
  };
}

async function closeGently(server: ReturnType<typeof listen>): Promise<void> {
  const force = setTimeout(() => void server.close(true), graceMilliseconds);
  await server.close();
  clearTimeout(force);
}

/** A server on every address is reached by the loopback one. */
function reachableUrl(address: string | undefined): string {
  const url = new URL(address ?? '');
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.origin;
}
