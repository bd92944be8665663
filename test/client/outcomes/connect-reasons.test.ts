import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { Agent, ProxyAgent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { reset, serve } from '../../support/fault-server.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { clientOf, failureOf, useDispatcher } from './support.ts';

/** A server on loopback, and the connections that it received. */
async function listen(server: Server) {
  const connections: unknown[] = [];
  server.on('connection', (socket) => void connections.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections };
}

test('names an untrusted certificate, reports it as not sent, and does not retry', async () => {
  const { port, connections } = await listen(createServer(selfSigned));
  const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).crm.users.list());
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', attempts: 1 });
  expect(String(error)).toMatch(/: self-signed certificate.* \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/);
  expect(connections).toHaveLength(1);
});

test('names a server without TLS, reports it as not sent, and does not retry', async () => {
  const { port, connections } = await listen(
    createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).crm.users.list());
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', attempts: 1 });
  expect(String(error)).toMatch(/wrong version number.*\(ERR_SSL_\w+\)/);
  expect(connections).toHaveLength(1);
});

test('names an unknown host', async () => {
  const error = await failureOf(
    clientOf('https://carillon.invalid', { maxRetries: 0 }).crm.boards.create({ name: 'a' }),
  );
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no' });
  expect(String(error)).toMatch(/could not connect to carillon\.invalid: getaddrinfo (ENOTFOUND|EAI_AGAIN)/);
});

test('a code is not repeated after a message that has it', async () => {
  const cause = Object.assign(new Error('connect EOWN 10.0.0.1:443'), { code: 'EOWN' });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const error = await failureOf(clientOf('https://api.example.com', { fetch }).crm.boards.create({ name: 'Tasks' }));
  expect(String(error)).toMatch(/lost the connection to api\.example\.com: connect EOWN 10\.0\.0\.1:443$/);
});

test('a lost connection has its reason', async () => {
  const { url } = await serve(reset);
  const error = await failureOf(clientOf(url).crm.boards.create({ name: 'Tasks' }));
  expect(String(error)).toMatch(/lost the connection to .*: (read ECONNRESET|other side closed)/);
});

test('an alert in the handshake reports no, because the request follows the handshake', async () => {
  const { port } = await listen(createServer({ ...selfSigned, minVersion: 'TLSv1.3' }));
  const connect = { rejectUnauthorized: false, maxVersion: 'TLSv1.2' } as const;
  useDispatcher(new Agent({ connect }));
  const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).crm.boards.create({ name: 'Tasks' }));
  expect(error).toMatchObject({ sent: 'no', attempts: 3 });
  expect(String(error)).toMatch(/could not connect to .*_ALERT_/);
});

test('an alert of TLS 1.3 after the handshake reports maybe, because the request may have arrived', async () => {
  const { port } = await listen(
    createServer({ ...selfSigned, requestCert: true, minVersion: 'TLSv1.3' }, (_, response) => response.end()),
  );
  useDispatcher(new Agent({ connect: { rejectUnauthorized: false } }));
  const api = clientOf(`https://127.0.0.1:${port}`);
  expect(await failureOf(api.crm.boards.create({ name: 'Tasks' }))).toMatchObject({ sent: 'maybe', attempts: 1 });
});

test.each(['closes', 'resets'])('a peer that %s the connection in the handshake reports no', async (kind) => {
  const { port, connections } = await listen(
    createTcpServer((socket) =>
      socket.once('data', () => (kind === 'closes' ? socket.destroy() : socket.resetAndDestroy())),
    ),
  );
  const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).crm.boards.create({ name: 'Tasks' }));
  expect(error).toMatchObject({ sent: 'no', attempts: 3 });
  expect(String(error)).toMatch(/could not connect to .*ECONNRESET/);
  expect(connections).toHaveLength(3);
});

/** A proxy that answers each CONNECT with a status. */
async function refusingProxy(status: number): Promise<string> {
  const proxy = createHttpServer();
  proxy.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
  const { port } = await listen(proxy);
  return `http://127.0.0.1:${port}`;
}

test.each([
  [407, 1],
  [403, 1],
  [502, 3],
  [503, 3],
])(
  'a proxy that refuses a tunnel with %d reports no after %d attempts, and names the status',
  async (status, attempts) => {
    useDispatcher(new ProxyAgent(await refusingProxy(status)));
    const error = await failureOf(clientOf('https://api.example.com').crm.boards.create({ name: 'Tasks' }));
    expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', attempts });
    expect(String(error)).toMatch(
      new RegExp(`could not connect to api.example.com: the proxy rejected the connection with HTTP status ${status}$`),
    );
  },
);

test('a port that the platform blocks is not a lost connection, and is not tried again', async () => {
  const error = await failureOf(clientOf('http://127.0.0.1:6000').crm.users.list());
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', attempts: 1 });
  expect(String(error)).toMatch(/could not connect to 127\.0\.0\.1:6000: bad port$/);
});

test('an error without a code has the message of its deepest cause, without the credential', async () => {
  const cause = new Error('socket of k3y-value hung up');
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const error = await failureOf(clientOf('https://api.example.com', { fetch }).crm.boards.create({ name: 'Tasks' }));
  expect(String(error)).toMatch(/lost the connection to api\.example\.com: socket of \[redacted\] hung up$/);
});
