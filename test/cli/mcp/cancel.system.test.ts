import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { createContext } from '../../../src/cli/mcp/context.ts';
import { createHttpHandler } from '../../../src/cli/mcp/http.ts';
import { isRecord } from '../../../src/shared/is-record.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import { createAgent, type Version, versions, yes } from './connect.ts';

const token = 'a-token-of-some-length';

/** A service that creates tags, and holds the second request. */
async function startService() {
  const names: unknown[] = [];
  const held = new EventEmitter();
  const [isHeld, isDropped] = [once(held, 'held'), once(held, 'dropped')];
  const server = createServer(async (request, response) => {
    const body = await json(request);
    names.push(isRecord(body) ? body.name : body);
    if (names.length === 2) {
      response.once('close', () => held.emit('dropped'));
      held.emit('held');
    } else response.setHeader('content-type', 'application/json').end(`{"data":{"id":${names.length}}}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = isRecord(address) ? address.port : undefined;
  return { names, isHeld, isDropped, url: `http://127.0.0.1:${port}` };
}

/** Connects an agent over HTTP to a server for that service. */
async function connect(version: Version, baseUrl: string) {
  const env = { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: 'any-key-of-some-length' };
  const handler = createHttpHandler(await createContext({ env, warn() {}, version: '0' }), token);
  const { url, close } = await serve(handler, { port: 0, isOpen: false });
  const client = createAgent(version, yes);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  onTestFinished(async () => {
    await client.close();
    await handler.close();
    await close();
  });
  return client;
}

it.each(Object.keys(versions) as Version[])(
  'a cancelled set of a client of %s aborts the request in flight, sends no further one, and tells the outcome of each call by its handle',
  async (version) => {
    const service = await startService();
    const client = await connect(version, service.url);
    const write = async (input: object, options?: Parameters<typeof client.callTool>[1]): Promise<string> => {
      const called = await client.callTool(
        { name: 'write', arguments: { method: 'crm.tags.create', ...input } },
        options,
      );
      return called.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    };
    const cancelling = new AbortController();
    const progress = new EventEmitter();
    const shown = once(progress, 'message');
    const calls = ['one', 'other', 'third', 'last'].map((name) => ({ name }));
    const cancelled = write(
      { calls },
      { signal: cancelling.signal, onprogress: ({ message }) => progress.emit('message', message) },
    );
    const [, set = ''] = /\(set ([\w-]+)\)/.exec(String(await shown)) ?? [];
    await service.isHeld;
    cancelling.abort();
    await expect(cancelled).rejects.toThrow();
    await service.isDropped;

    const outcome = await write({ set });
    expect(outcome).toContain('crm.tags.create: 1 of 4 calls succeeded.');
    expect(outcome).toContain(
      'calls[1]: crm.tags.create was cancelled\nsent: maybe (the call may have been processed)',
    );
    expect(outcome).toContain('calls[2] to calls[3]: crm.tags.create: not sent, because the request was cancelled.');
    expect(outcome).toContain('[{"id":1},\nnull,\nnull,\nnull]');
    expect(service.names).toEqual(['one', 'other']);

    expect(await write({ params: { name: 'next' } })).toContain('{"id":3}');
    expect(service.names).toEqual(['one', 'other', 'next']);
  },
);
