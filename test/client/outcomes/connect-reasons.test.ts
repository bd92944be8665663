import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Agent, fetch } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { reset, serve } from '../../support/fault-server.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { clientOf, failureOf } from './support.ts';

/** A server on loopback, and the connections that it received. */
async function listen(server: ReturnType<typeof createServer> | ReturnType<typeof createTcpServer>) {
  const connections: unknown[] = [];
  server.on('connection', (socket) => void connections.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections };
}

test('names an untrusted certificate, reports it as not sent, and does not retry', async () => {
  const { port, connections } = await listen(createServer(selfSigned));
  const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).crm.users.list());
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', tries: 1 });
  expect(String(error)).toContain('the certificate of the server is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)');
  expect(connections).toHaveLength(1);
});

test('names a server without TLS, reports it as not sent, and does not retry', async () => {
  const { port, connections } = await listen(
    createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).crm.users.list());
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no', tries: 1 });
  expect(String(error)).toMatch(/the server does not speak TLS on this port \(ERR_SSL_\w+\)/);
  expect(connections).toHaveLength(1);
});

test('names an unknown host', async () => {
  const error = await failureOf(
    clientOf('https://carillon.invalid', { maxRetries: 0 }).crm.boards.create({ name: 'a' }),
  );
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'no' });
  expect(String(error)).toMatch(/could not connect to carillon\.invalid: .* \((ENOTFOUND|EAI_AGAIN)\)/);
});

test('a lost connection has its reason', async () => {
  const { url } = await serve(reset);
  const error = await failureOf(clientOf(url).crm.boards.create({ name: 'Tasks' }));
  expect(String(error)).toMatch(/lost the connection to .*: the connection was (reset|closed) \(\w+\)/);
});

test('an alert of the peer reports maybe, because in TLS 1.3 it can follow the request', async () => {
  const { port } = await listen(createServer({ ...selfSigned, minVersion: 'TLSv1.3' }));
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false, maxVersion: 'TLSv1.2' } });
  onTestFinished(() => dispatcher.destroy());
  const api = clientOf(`https://127.0.0.1:${port}`, { fetch: (url, init) => fetch(url, { ...init, dispatcher }) });
  const error = await failureOf(api.crm.boards.create({ name: 'Tasks' }));
  expect(error).toMatchObject({ sent: 'maybe', tries: 1 });
  expect(String(error)).toMatch(/_ALERT_/);
});

test('an error without a code has the message of its deepest cause, without the credential', async () => {
  const cause = new Error('socket of k3y-value hung up');
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const error = await failureOf(clientOf('https://api.example.com', { fetch }).crm.boards.create({ name: 'Tasks' }));
  expect(String(error)).toMatch(/lost the connection to api\.example\.com: socket of \[redacted\] hung up$/);
});
