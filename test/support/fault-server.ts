import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { answerJson, listen, type Received } from './server.ts';

/** The real timer, taken before tests fake it, because a response may continue during the next test. */
const nextTurn = promisify(setImmediate);

/** Handles one request. */
export type Fault = (request: Received, response: ServerResponse) => void;

/** A server on loopback. Each request meets the next fault, and the last fault repeats. */
export function serve(...faults: Fault[]): Promise<{ url: string; received: Received[] }> {
  let count = 0;
  return listen((request, response) => {
    const fault = faults[Math.min(count, faults.length - 1)];
    count += 1;
    fault?.(request, response);
  });
}

/** A TCP server on loopback, for events during a request. */
export async function serveRaw(handle: (socket: Socket) => void): Promise<{ url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // These tests expect clients to disconnect.
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

function addressOf(address: ReturnType<ReturnType<typeof createServer>['address']>): string {
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}`;
}

const json = { 'Content-Type': 'application/json' };

export const respond =
  (body: unknown, status = 200): Fault =>
  (_, response) =>
    answerJson(response, body, status);

export const status =
  (code: number, headers: Record<string, string | string[]> = {}, body = ''): Fault =>
  (_, response) =>
    response.writeHead(code, headers).end(body);

/** An HTML page instead of JSON, as proxies and login portals send it. */
export const html = (code: number): Fault =>
  status(code, { 'Content-Type': 'text/html; charset=utf-8' }, '<!doctype html><title>Sign in</title>');

export const redirect = (code: number, location: string): Fault => status(code, { Location: location });

/** Resets the connection before the response. */
export const reset: Fault = (_, { socket }) => socket?.resetAndDestroy();

/** Closes the connection in order before the response. */
export const hangUp: Fault = (_, { socket }) => socket?.end();

/** Sends no response. */
export const stall: Fault = () => undefined;

/** Stops within the response head. */
export const stallInHead: Fault = (_, { socket }) => socket?.write('HTTP/1.1 200 OK\r\nContent-Ty');

/** Stops within the response body. */
export const stallInBody: Fault = (_, response) => response.writeHead(200, json).write('{"data": [');

/** Closes the connection before the announced body is complete. */
export const truncate: Fault = (_, { socket }) =>
  socket?.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"data": [');

/** Like `truncate`, but without a length: the last chunk is missing. */
export const truncateChunks: Fault = (_, { socket }) =>
  socket?.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{"data": [\r\n');

/** Resets the connection within the body. */
export const resetInBody: Fault = (_, response) =>
  response.writeHead(200, json).write('{"data": [', () => response.socket?.resetAndDestroy());

/** Sends data that is not HTTP. */
export const garbage: Fault = (_, { socket }) => socket?.end('\u0000\u0001 SSH-2.0-not-http\r\n\r\n');

/** Sends a head that is too large for any client. */
export const hugeHead: Fault = (_, { socket }) =>
  socket?.end(`HTTP/1.1 200 OK\r\n${`X-Filler: ${'x'.repeat(1_000)}\r\n`.repeat(200)}\r\n{"data": []}`);

/** Sends an uncompressed body that is declared as gzip. */
export const falseGzip: Fault = status(200, { ...json, 'Content-Encoding': 'gzip' }, '{"data": []}');

/** Sends the body byte by byte. */
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

/** Sends data forever, so that the body never ends. */
export const endless: Fault = async (_, response) => {
  response.writeHead(200, json).write('{"data": [0');
  while (!response.destroyed) {
    response.write(', 1');
    await nextTurn();
  }
};
