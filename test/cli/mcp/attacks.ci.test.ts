import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContext } from '../../../src/cli/mcp/context.ts';
import { createHttpHandler } from '../../../src/cli/mcp/http.ts';
import { maxTokens } from '../../../src/cli/mcp/result.ts';
import { listen } from '../../support/server.ts';
import { createAgent, type Version, versions, yes } from './connect.ts';

const key = 'key-QmVsbHMgYW5kIHdoaXN0bGVz-0042';
const echoes = [key, Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex')];

/** Connects an agent to a service that repeats the key of each request in a long text. Deal 7 is nested deeper than any real response. */
async function connect(version: Version) {
  const { url: baseUrl } = await listen((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.includes('/deals/7')) {
      response.end(`{"success":true,"data":${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}}`);
      return;
    }
    const html = Array.from({ length: 400 }, (_, at) => 'word '.repeat(at % 50) + echoes[at % 3]).join(' ');
    response.end(JSON.stringify({ success: true, data: { id: 1, name: html } }));
  });
  const env = { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: key };
  const context = await createContext({ env, warn() {}, version: '0' });
  const handler = createHttpHandler(context, undefined);
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    request.headers.set('host', '127.0.0.1:4013');
    return handler.fetch(request);
  };
  const client = createAgent(version, yes);
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1:4013/mcp'), { fetch }));
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: input });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
    for (const echo of echoes) expect(text).not.toContain(echo);
    return text;
  };
  return call;
}

describe.each(Object.keys(versions) as Version[])('over HTTP, with a client of %s,', (version) => {
  it('does not accept deep parameters from tools', async () => {
    const call = await connect(version);
    let deep: unknown = 1;
    for (let depth = 0; depth < 3_000; depth += 1) deep = { a: deep };
    const problem = 'the parameters are nested more than 32 levels deep. Nothing was sent.';
    expect(await call('write', { method: 'crm.deals.create', params: { name: deep } })).toContain(problem);
    expect(await call('read', { method: 'crm.deals.get', params: { dealId: 1 }, fields: ['id'] })).toContain('"id":1');
  });

  it('reports a deep response as a failure, and keeps running', async () => {
    const call = await connect(version);
    expect(await call('read', { method: 'crm.deals.get', params: { dealId: 7 } })).toContain('nested more than 100');
  });

  it('hides the repeated key, even across the start of a result', async () => {
    const call = await connect(version);
    for (const from of [0, 1, 17, 40, 300, 1_001])
      expect(await call('read', { method: 'crm.deals.get', params: { dealId: 1 }, fields: ['name'], from })).toContain(
        '[hidden]',
      );
  });

  it('shortens failures', async () => {
    const call = await connect(version);
    const name = 'x'.repeat(100_000);
    await call('read', { method: name });
    await call('read', { method: 'crm.deals.get', params: { [name]: name, dealId: name } });
  });
});
