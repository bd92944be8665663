import { setImmediate as turn } from 'node:timers/promises';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createContext } from '../../../src/cli/mcp/context.ts';
import { createHttpHandler } from '../../../src/cli/mcp/http.ts';
import { type Answer, createAgent, no, yes } from './connect.ts';
import { slowContext } from './slow-context.ts';

const token = 'a-token-of-some-length';

async function startServer() {
  const context = await createContext({ sandbox: true, warn() {}, version: '0' });
  const handler = createHttpHandler(context, token);
  onTestFinished(() => handler.close());
  const deleted = (): number =>
    context.sandbox?.requests.filter(({ operation }) => operation === 'deleteContact').length ?? 0;
  /** Connects an agent whose person answers when the test says so. */
  const connect = async (name: string) => {
    const questions: { message: string; answer(answer: Answer): void }[] = [];
    const client = createAgent('2026-07-28', yes, name);
    client.setRequestHandler(
      'elicitation/create',
      ({ params: { message } }) =>
        new Promise<ReturnType<Answer>>((resolve) => {
          questions.push({ message, answer: (answer) => resolve(answer(message)) });
        }),
    );
    const fetch = (url: string | URL, init?: RequestInit) => {
      const request = new Request(url, init);
      request.headers.set('host', '127.0.0.1:4013');
      request.headers.set('authorization', `Bearer ${token}`);
      return handler.fetch(request);
    };
    await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1:4013/mcp'), { fetch }));
    onTestFinished(() => client.close());
    const asked = async (count: number): Promise<void> => {
      for (let at = 0; at < 20_000 && questions.length < count; at += 1) await turn();
      for (let at = 0; at < 50; at += 1) await turn();
    };
    return { questions, asked, remove: (contactId: number) => remove(client, contactId) };
  };
  return { connect, deleted };
}

/** A server whose changing calls wait at a gate after the first one, and whose requests end early. */
async function startSlowServer() {
  const { context, sent, open } = await slowContext(1);
  const handler = createHttpHandler(context, token);
  onTestFinished(() => handler.close());
  /** A window of an application, which numbers its requests. */
  const serve = (firstId: number) => {
    let id = firstId;
    const request = async (method: string, params: object): Promise<Response> => {
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const name = Reflect.get(params, 'name');
      const response = await handler.fetch(
        new Request('http://127.0.0.1:4013/mcp', {
          method: 'POST',
          headers: {
            host: '127.0.0.1:4013',
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': method,
            ...(typeof name === 'string' && { 'mcp-name': name }),
          },
          body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
        }),
      );
      id += 1;
      return response;
    };
    return {
      async write(input: object): Promise<string> {
        const response = await request('tools/call', { name: 'write', arguments: input });
        const body = await response.text();
        const json = response.headers.get('content-type')?.includes('event-stream')
          ? (/^data: (.*"result".*|.*"error".*)$/m.exec(body)?.[1] ?? body)
          : body;
        const { result } = JSON.parse(json);
        return result?.content?.[0]?.text ?? json;
      },
    };
  };
  return { context, serve, sent, open };
}

async function remove(client: Client, contactId: number): Promise<string> {
  const { content } = await client.callTool({
    name: 'delete',
    arguments: { method: 'crm.contacts.delete', params: { contactId } },
  });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

const all = Array.from({ length: 60 }, (_, at) => 3001 + at);

it('agents without a session have five open questions about a method at most, and are told how to ask once', async () => {
  const { connect, deleted } = await startServer();
  const [agent] = [await connect('host'), await connect('host')];
  const calls = all.map((id) => agent.remove(id));
  await agent.asked(5);
  expect(agent.questions).toHaveLength(5);
  for (const { answer } of agent.questions) answer(yes);
  const texts = await Promise.all(calls);
  const told = texts.filter((text) =>
    text.includes('5 questions about this method have no answer yet. Nothing was sent. Put several calls into'),
  );
  expect([told.length, deleted()]).toEqual([55, 5]);
});

describe('over HTTP without sessions, each question stands alone', () => {
  it('for two agents of one application', async () => {
    const { connect, deleted } = await startServer();
    const [one, other] = [await connect('host'), await connect('host')];
    const calls = [one.remove(3001), other.remove(3002)];
    await Promise.all([one.asked(1), other.asked(1)]);
    expect([one.questions, other.questions].map((questions) => questions.map(({ message }) => message))).toEqual([
      [expect.stringMatching(/\(crm\.contacts\.delete\)(?:.|\n)*`3001`/)],
      [expect.stringMatching(/\(crm\.contacts\.delete\)(?:.|\n)*`3002`/)],
    ]);
    one.questions[0]?.answer(yes);
    other.questions[0]?.answer(no);
    await Promise.all(calls);
    expect(deleted()).toBe(1);
  });

  it('for two calls of one agent', async () => {
    const { connect } = await startServer();
    const agent = await connect('host');
    const calls = [3001, 3002].map((id) => agent.remove(id));
    await agent.asked(2);
    expect(agent.questions.map(({ message }) => message)).toEqual([
      expect.stringContaining('`3001`'),
      expect.stringContaining('`3002`'),
    ]);
    for (const { answer } of agent.questions) answer(no);
    await Promise.all(calls);
  });
});

describe('a set that was cut off, over HTTP without sessions', () => {
  const calls = ['one', 'other', 'third'].map((name) => ({ name }));
  const create = { method: 'crm.tags.create', calls };

  it('is told to its handle alone, and no call is made twice', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { context, serve, sent, open } = await startSlowServer();
    const [one, other] = [serve(1), serve(1_000)];
    const first = one.write(create);
    await sent(2);
    await vi.advanceTimersByTimeAsync(45_000);
    const [, set = ''] = /set: "([\w-]+)"/.exec(await first) ?? [];
    open();
    const text = await other.write(create);
    expect(text).toMatch(
      /^crm\.tags\.create: these calls were interrupted earlier, and some of them may have been processed\. Nothing was sent this time\./,
    );
    expect(text).not.toContain(set);
    expect(await other.write({ ...create, calls: calls.slice(1) })).toContain('2 of 2 calls succeeded');
    expect(await one.write({ method: 'crm.tags.create', set })).toContain('3 of 3 calls succeeded');
    expect(await other.write(create)).toContain('3 of 3 calls succeeded');
    const made = context.sandbox?.requests.filter(({ operation }) => operation === 'createTag').length;
    expect(made).toBe(8);
  });
});
