import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.ts';
import { type RunningServer, serve } from '../../src/shared/server/serve.ts';
import { specMock } from '../support/spec-mock.ts';
import { deal } from './raw.ts';

// docs/guides/sandbox-reference.md, "The mock and the sandbox", lists each difference.

let servers: RunningServer[];
beforeAll(async () => {
  servers = [await serve(await specMock(), { port: 0 }), await serve(createSandbox(), { port: 0 })];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

interface Sent {
  body?: string;
  headers?: string[];
  token?: string | null;
}

/** Status and media type of the mock's and the sandbox's responses. */
function both(method: string, target: string, { body = '', headers = [], token = 'any' }: Sent = {}) {
  return Promise.all(
    servers.map(async ({ url }) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname).setTimeout(10_000, () => socket.destroy(new Error('No answer')));
      const lines = [
        `${method} ${target} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        'Connection: close',
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
        ...headers,
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
      const response = await text(socket);
      return [Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]), /^content-type: (\S+)/im.exec(response)?.[1]];
    }),
  );
}

const json = 'application/json';
const problem = 'application/problem+json';
const body = JSON.stringify(deal);
const nested = `${'['.repeat(200)}${']'.repeat(200)}`;

test.each<[what: string, method: string, target: string, sent: Sent, mock: unknown[], sandbox: unknown[]]>([
  [
    'a media type other than JSON',
    'POST',
    '/crm/v1/deals',
    { body, headers: ['Content-Type: text/plain'] },
    [415, problem],
    [200, json],
  ],
  ['no media type', 'POST', '/crm/v1/deals', { body }, [200, json], [200, json]],
  ['an absolute request line', 'GET', 'http://api.example.com/crm/v1/users', {}, [200, json], [200, json]],
  ['an unknown field', 'POST', '/crm/v1/deals', { body: body.replace('{', '{"own":1,') }, [200, json], [200, json]],
  ['an unknown parameter', 'GET', '/crm/v1/users?own=1', {}, [200, json], [200, json]],
  ['no credential', 'GET', '/crm/v1/users', { token: null }, [401, problem], [401, json]],
  ['a wrong body', 'POST', '/crm/v1/deals', { body: '{"name":7}' }, [422, problem], [422, json]],
  ['a body that is not JSON', 'POST', '/crm/v1/deals', { body: '{' }, [400, problem], [400, json]],
  ['a body that is nested too deeply', 'POST', '/crm/v1/deals', { body: nested }, [400, problem], [400, json]],
  ['a path value of another type', 'GET', '/crm/v1/deals/first', {}, [422, problem], [404, json]],
  ['a path value that is missing', 'GET', '/crm/v1/deals//comments', {}, [404, problem], [404, json]],
  ['a record that does not exist', 'GET', '/crm/v1/deals/999999', {}, [200, json], [404, json]],
  [
    'another response that is preferred',
    'GET',
    '/crm/v1/users',
    { headers: ['Prefer: code=404'] },
    [404, json],
    [200, json],
  ],
  ['an unknown path', 'GET', '/nothing', {}, [404, problem], [404, json]],
  ['an unknown method', 'PUT', '/crm/v1/users', {}, [405, problem], [405, json]],
])('mock and sandbox: %s', async (_, method, target, sent, mock, sandbox) => {
  expect(await both(method, target, sent)).toEqual([mock, sandbox]);
});
