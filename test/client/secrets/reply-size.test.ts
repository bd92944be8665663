import { constants } from 'node:buffer';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type ClientOptions, createClient } from '../../../src/client/index.ts';
import { failureOf } from './outputs.ts';

const megabyte = 2 ** 20;
const silent = { warn: () => undefined };
const open = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl, auth: { apiKey: 'k3y-v4lue' }, logger: silent, ...options });

/** A compressed megabyte. A stream may consist of several (RFC 1952, section 2.2). */
const blanks = gzipSync(Buffer.alloc(megabyte, ' '));

/** A server whose replies are many times longer than on the wire. */
async function bomb(megabytes: number): Promise<{ url: string; requests: () => number; closed: Promise<void> }> {
  let requests = 0;
  let close = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server = createServer((_, response) => {
    requests += 1;
    response.once('close', close);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    Readable.from(
      (function* () {
        for (let count = 0; count < megabytes; count += 1) yield blanks;
      })(),
    ).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { url: `http://127.0.0.1:${address.port}`, requests: () => requests, closed };
}

test.each(['users.list', 'boards.create'] as const)(
  'a bomb of a gigabyte ends %s with one ResponseError, one request, a closed connection and bounded memory',
  async (method) => {
    const { url, requests, closed } = await bomb(1_024);
    const api = open(url, { maxResponseBytes: 8 * megabyte });
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }, 1);
    const error = await failureOf(
      method === 'users.list' ? api.crm.users.list() : api.crm.boards.create({ name: 'x' }),
    );
    clearInterval(watch);
    await closed;
    expect(error).toMatchObject({ name: 'ResponseError', status: 200, sent: 'yes', attempts: 1 });
    expect(error).toMatchObject({
      message: expect.stringMatching(/: the reply is longer than maxResponseBytes \(8388608\)$/),
    });
    expect(requests()).toBe(1);
    expect(peak).toBeLessThan(64 * megabyte);
  },
);

/** A `fetch` whose reply begins with a chunk of this length. */
function chunkOf(length: number): () => Promise<Response> {
  const reader = { read: async () => ({ value: { length } }), cancel: async () => undefined };
  return async () => Object.defineProperty(new Response(), 'body', { value: { getReader: () => reader } });
}

test('the default limit is 64 MB', async () => {
  const fetch = chunkOf(64 * megabyte + 1);
  const error = await failureOf(open('https://api.example.com', { fetch }).crm.users.list());
  expect(error).toMatchObject({ name: 'ResponseError', message: expect.stringContaining('(67108864)') });
});

const replies: [string, () => Response][] = [
  ['states a length that is too small', () => new Response(' '.repeat(2_000), { headers: { 'content-length': '5' } })],
  [
    'states that it is not compressed',
    () => new Response(' '.repeat(2_000), { headers: { 'content-encoding': 'identity' } }),
  ],
  ['never ends', () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(100)) }))],
  [
    'comes byte by byte',
    () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1)) })),
  ],
  ['fails, and is to be tried again', () => new Response(' '.repeat(2_000), { status: 503 })],
  ['refuses the credential', () => new Response(' '.repeat(2_000), { status: 401 })],
  ['has no stream', () => Object.assign(new Response(null), { text: async () => ' '.repeat(2_000) })],
];

test.each(replies)(
  'a too long reply of a custom fetch that %s is a ResponseError, and is not requested again',
  async (_, reply) => {
    let count = 0;
    const fetch = async (): Promise<Response> => {
      count += 1;
      return reply();
    };
    const error = await failureOf(open('https://api.example.com', { fetch, maxResponseBytes: 1_000 }).crm.users.list());
    expect(error).toMatchObject({ name: 'ResponseError', sent: 'yes', body: '' });
    expect(count).toBe(1);
  },
);

test('reads a reply as long as the limit, even over many chunks and split characters', async () => {
  const text = JSON.stringify({ data: [{ id: 1, name: 'Zoë 🙂 '.repeat(5_000) }] });
  const bytes = new TextEncoder().encode(text);
  const read = (maxResponseBytes: number) => {
    let at = 0;
    const pull = (stream: ReadableStreamDefaultController<Uint8Array>): void => {
      stream.enqueue(bytes.subarray(at, at + 7));
      at += 7;
      if (at >= bytes.length) stream.close();
    };
    const fetch = async () => new Response(new ReadableStream({ pull }));
    return open('https://api.example.com', { fetch, maxResponseBytes }).crm.users.list();
  };
  expect(await read(bytes.length)).toEqual(JSON.parse(text).data);
  expect(await failureOf(read(bytes.length - 1))).toMatchObject({ name: 'ResponseError' });
});

test('measures a compressed reply by its decompressed size', async () => {
  const text = JSON.stringify({ data: [{ id: 1, name: 'x'.repeat(100_000) }] });
  const server = createServer(
    (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const api = open(`http://127.0.0.1:${address.port}`);
  expect(await api.crm.users.list()).toHaveLength(1);
  expect(await failureOf(api.withOptions({ maxResponseBytes: 50_000 }).crm.users.list())).toMatchObject({
    name: 'ResponseError',
  });
});

test('limits a token reply to a megabyte', async () => {
  const fetch = async () => Response.json({ access_token: 't0ken', expires_in: 60, more: 'x'.repeat(megabyte) });
  const error = await failureOf(
    open('https://api.example.com', { auth: { clientId: 'id', clientSecret: 's3cret' }, fetch }).crm.users.list(),
  );
  expect(error).toMatchObject({
    name: 'TokenError',
    sent: 'no',
    message: expect.stringContaining('maxResponseBytes (1048576)'),
  });
});

test('calls a hook for a reply that is too long, without its body', async () => {
  const seen: unknown[] = [];
  const api = open('https://api.example.com', {
    fetch: async () => new Response('x'.repeat(2_000)),
    maxResponseBytes: 1_000,
    showBodies: true,
    middleware: [{ onResponse: (_, { status, body }) => void seen.push(status, body) }],
  });
  await failureOf(api.crm.users.list());
  expect(seen).toEqual([200, undefined]);
});

test.each([0, -1, Number.NaN, '5'])('refuses maxResponseBytes %j', (maxResponseBytes) => {
  const options = { maxResponseBytes } as Partial<ClientOptions>;
  expect(() => open('https://api.example.com', options)).toThrow('maxResponseBytes must be a number above 0');
});

test('a reply longer than a JavaScript string is too long, whatever maxResponseBytes is', async () => {
  const fetch = chunkOf(2 ** 29);
  const error = await failureOf(
    open('https://api.example.com', { fetch, maxResponseBytes: Infinity }).crm.users.list(),
  );
  expect(error).toMatchObject({ name: 'ResponseError', sent: 'yes', attempts: 1 });
  expect(String(error)).toContain(`maxResponseBytes (${constants.MAX_STRING_LENGTH})`);
});
