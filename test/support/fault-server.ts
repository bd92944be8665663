import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { answerJson, listen, type Received } from './server.ts';

/** The real one, taken before any test fakes timers: a response may go on when the next test has begun. */
const nextTurn = promisify(setImmediate);

/** What a server does with one request. */
export type Fault = (request: Received, response: ServerResponse) => void;

/** A server on loopback: the first request meets the first fault, and so on; the last one stays. */
export function serve(...faults: Fault[]): Promise<{ url: string; received: Received[] }> {
  let count = 0;
  return listen((request, response) => {
    const fault = faults[Math.min(count, faults.length - 1)];
    count += 1;
    fault?.(request, response);
  });
}

/** A server on loopback below HTTP, for what happens while a request still comes in. */
export async function serveRaw(handle: (socket: Socket) => void): Promise<{ url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A client that goes away is what these tests are about.
    socket.on('error', () => undefined);
    handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return { url: addressOf(server.address()) };
}

/** An address that no server listens on. */
export async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = addressOf(server.address());
  await new Promise((resolve) => server.close(resolve));
  return url;
}

function addressOf(address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}`;
}

const json = { 'Content-Type': 'application/json' };

export const reply =
  (body: unknown, status = 200): Fault =>
  (_, response) =>
    answerJson(response, body, status);

export const status =
  (code: number, headers: Record<string, string | string[]> = {}, body = ''): Fault =>
  (_, response) =>
    response.writeHead(code, headers).end(body);

/** A page where JSON is expected, as proxies and login portals send it. */
export const html = (code: number): Fault =>
  status(code, { 'Content-Type': 'text/html; charset=utf-8' }, '<!doctype html><title>Sign in</title>');

export const redirect = (code: number, location: string): Fault => status(code, { Location: location });

/** The connection is reset before an answer. */
export const reset: Fault = (_, { socket }) => socket?.resetAndDestroy();

/** The connection is closed in order, before an answer. */
export const hangUp: Fault = (_, { socket }) => socket?.end();

/** Nothing comes. */
export const stall: Fault = () => undefined;

/** The answer stops within its head. */
export const stallInHead: Fault = (_, { socket }) => socket?.write('HTTP/1.1 200 OK\r\nContent-Ty');

/** The answer stops within its body. */
export const stallInBody: Fault = (_, response) => response.writeHead(200, json).write('{"data": [');

/** The connection is closed before the body that was announced is whole. */
export const truncate: Fault = (_, { socket }) =>
  socket?.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"data": [');

/** The same without a length: the last chunk is missing. */
export const truncateChunks: Fault = (_, { socket }) =>
  socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{"data": [\r\n');

/** The connection is reset within the body. */
export const resetInBody: Fault = (_, response) =>
  response.writeHead(200, json).write('{"data": [', () => response.socket?.resetAndDestroy());

/** What comes is not HTTP. */
export const garbage: Fault = (_, { socket }) => socket?.end('\u0000\u0001 SSH-2.0-not-http\r\n\r\n');

/** A head larger than any client reads. */
export const hugeHead: Fault = (_, { socket }) =>
  socket?.end(`HTTP/1.1 200 OK\r\n${`X-Filler: ${'x'.repeat(1_000)}\r\n`.repeat(200)}\r\n{"data": []}`);

/** A body that says it is compressed and is not. */
export const falseGzip: Fault = status(200, { ...json, 'Content-Encoding': 'gzip' }, '{"data": []}');

/** The body comes byte by byte. */
export const slowly =
  (body: unknown): Fault =>
  async (_, response) => {
    response.writeHead(200, json);
    for (const byte of Buffer.from(JSON.stringify(body))) {
      response.write(Buffer.of(byte));
      await nextTurn();
    }
    response.end();
  };

/** The body never ends, though something comes all the time. */
export const endless: Fault = async (_, response) => {
  response.writeHead(200, json).write('{"data": [0');
  while (!response.destroyed) {
    response.write(', 1');
    await nextTurn();
  }
};
