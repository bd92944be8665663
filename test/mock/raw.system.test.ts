import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, serve } from '../../src/shared/server/serve.ts';
import { specMock } from '../support/spec-mock.ts';
import { fixtures } from './server.ts';

// Other clients send requests that fetch rejects.

let server: RunningServer;
beforeAll(async () => {
  server = await serve(await specMock(fixtures), { port: 0 });
});
afterAll(() => server.close());

async function send(method: string, target: string, body = '', ...headers: string[]): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).setTimeout(10_000, () => socket.destroy(new Error('No response')));
  const length = body && `Content-Length: ${Buffer.byteLength(body)}`;
  const lines = [`Host: ${hostname}:${port}`, 'Authorization: Bearer any', 'Connection: close', length, ...headers];
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.filter(Boolean).join('\r\n')}\r\n\r\n${body}`);
  return text(socket);
}

it('takes GET with a body and a media type', async () => {
  for (const [type, body] of [
    ['application/json', '{"a":1}'],
    ['text/plain', 'hello'],
  ]) {
    const response = await send('GET', '/shop/v1/deals/501', body, `Content-Type: ${type}`);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toContain('{"id":501,"name":"Renewal"}');
  }
});

it('accepts a path that begins with two slashes, which a URL would parse as a host', async () => {
  expect(await send('GET', '//shop//v1/deals/501')).toMatch(/^HTTP\/1\.1 200 /);
});

it('accepts a target with its host, as proxies send it', async () => {
  expect(await send('GET', `${server.url}/shop/v1/deals/501`)).toMatch(/^HTTP\/1\.1 200 /);
});

it('responds 405 to a method that fetch does not know', async () => {
  for (const method of ['TRACE', 'PROPFIND']) {
    const response = await send(method, '/shop/v1/deals/501');
    expect(response).toMatch(/^HTTP\/1\.1 405 /);
    expect(response).toContain('allow: DELETE, GET, HEAD, OPTIONS');
  }
});
