/**
 * The sandbox on `node:http`. A small server of our own: the published package gets no dependency for it, and the sandbox
 * answers with whole texts, so nothing of what makes an adapter hard (streams both ways) is needed.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DroppedConnection } from '../sandbox/dropped-connection.ts';
import type { Handle } from '../sandbox/handle.ts';
import { jsonReply, type Reply } from '../sandbox/reply.ts';
import { answerPreflight, openToEveryOrigin } from './cors.ts';
import { toListenError } from './listen-error.ts';

export interface RunningServer {
  /** Where it answers, without a trailing slash. */
  url: string;
  /** Stops listening, lets open requests end for a second, then cuts what is left. */
  close(): Promise<void>;
}

const graceMilliseconds = 1_000;
const mostBytes = 16 * 1024 * 1024;

/** Serves over HTTP, open to pages of every origin. Rejects with a ListenError that says what to do. */
export async function serve(handle: Handle, { port, host }: { port: number; host: string }): Promise<RunningServer> {
  const server = createServer((request, response) => void answer(handle, request, response));
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

async function answer(handle: Handle, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    const { method = 'GET' } = request;
    const { authorization = null } = request.headers;
    const url = new URL(`http://localhost${request.url}`);
    const text = await readBody(request);
    const reply =
      text === undefined
        ? failure(413, `The request body is larger than ${mostBytes} bytes.`, { connection: 'close' })
        : (preflightReply(request) ?? (await handle({ method, url, authorization, text, signal: gone.signal })));
    await send(reply, response);
  } catch (error) {
    if (error instanceof DroppedConnection) request.socket.resetAndDestroy();
    if (response.destroyed || request.socket.destroyed) return;
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${request.method} ${request.url?.replace(/\?.*/s, '')} failed: ${reason}`);
    await send(failure(500, `The sandbox failed: ${reason}`), response);
  }
}

function preflightReply({ method = 'GET', headers }: IncomingMessage): Reply | undefined {
  if (method !== 'OPTIONS') return undefined;
  const asked = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) asked.set(name, String(value));
  const preflight = answerPreflight(method, asked);
  return preflight && { status: preflight.status, headers: Object.fromEntries(preflight.headers), text: null };
}

/** The body as text; nothing where it is too large, and then the rest of it is not read. */
function readBody(request: IncomingMessage): Promise<string | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) return Promise.resolve('');
  // Events and not an iterator, which is half as fast for the one chunk that most bodies are.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= mostBytes) chunks.push(chunk);
        else {
          request.pause();
          resolve(undefined);
        }
      })
      .on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
      .on('error', reject)
      .on('close', () => reject(new Error('The request ended before its body')));
  });
}

async function send({ status, headers, text }: Reply, response: ServerResponse): Promise<void> {
  // Requests that have arrived are handled first: their answers then go out together, which wakes a caller once.
  await nextTurn();
  // With its length known, an answer is one write and not several chunks.
  const length = text === null ? {} : { 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...openToEveryOrigin, ...length }).end(text);
}

function failure(status: number, message: string, headers?: Record<string, string>): Reply {
  return jsonReply(status, { message }, headers);
}

async function closeGently(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  const ended = once(server, 'close');
  server.close();
  await ended;
  clearTimeout(force);
}

/** A server on every address is reached by the loopback one. */
function reachableUrl(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const { port, family } = address;
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address.address] ?? address.address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
