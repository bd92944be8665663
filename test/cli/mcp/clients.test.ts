import { setImmediate as turn } from 'node:timers/promises';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Clients } from '../../../src/cli/mcp/clients.ts';
import { createContext } from '../../../src/cli/mcp/context.ts';
import { createHttpHandler } from '../../../src/cli/mcp/http.ts';
import { createClient } from '../../../src/client/client.ts';
import { type Answer, createAgent, no, yes } from './connect.ts';

const token = 'a-token-of-some-length';

async function startServer({ secret }: { secret?: string | undefined } = { secret: token }) {
  const context = await createContext({ sandbox: true, warn() {}, version: '0' });
  const handler = createHttpHandler(context, secret);
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
  const context = await createContext({ sandbox: true, warn() {}, version: '0' });
  const { sandbox } = context;
  if (!sandbox) throw new Error('There is no sandbox');
  let changes = 0;
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const client = createClient({
    baseUrl: 'https://sandbox.invalid',
    auth: { apiKey: 'sandbox' },
    async fetch(url, init) {
      if (init.method !== 'GET') {
        changes += 1;
        if (changes > 1) await gate;
      }
      return sandbox.fetch(url, init);
    },
  });
  const handler = createHttpHandler({ ...context, client }, token);
  onTestFinished(() => handler.close());
  const sent = async (count: number): Promise<void> => {
    while (changes < count) await turn();
  };
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
      discover: () => request('server/discover', {}),
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

describe('60 parallel deletes over HTTP, with a client of 2026-07-28', () => {
  it('are two questions at most, and end with the second refusal', async () => {
    const { connect, deleted } = await startServer();
    const agent = await connect('host');
    const calls = all.map((id) => agent.remove(id));
    await agent.asked(1);
    expect(agent.questions).toHaveLength(1);
    agent.questions[0]?.answer(no);
    await agent.asked(2);
    expect(agent.questions[1]?.message).toContain('crm.contacts.delete, 59 calls');
    agent.questions[1]?.answer(no);
    const texts = await Promise.all(calls);
    expect(texts.at(-1)).toContain('the person refused it 2 times');
    expect([deleted(), agent.questions.length]).toEqual([0, 2]);
  });

  it('are made after one yes to those that wait', async () => {
    const { connect, deleted } = await startServer();
    const agent = await connect('host');
    const calls = all.map((id) => agent.remove(id));
    for (const count of [1, 2]) {
      await agent.asked(count);
      agent.questions[count - 1]?.answer(yes);
    }
    await Promise.all(calls);
    expect([deleted(), agent.questions.length]).toEqual([60, 2]);
  });
});

it('agents that cannot be told apart have five open questions about a method at most, and are told how to ask once', async () => {
  const { connect, deleted } = await startServer();
  const [agent] = [await connect('host'), await connect('host')];
  const calls = all.map((id) => agent.remove(id));
  await agent.asked(5);
  expect(agent.questions).toHaveLength(5);
  for (const { answer } of agent.questions) answer(yes);
  const texts = await Promise.all(calls);
  const told = texts.filter((text) =>
    text.includes('5 questions about it are open. Nothing was sent. Put several calls into'),
  );
  expect([told.length, deleted()]).toEqual([55, 5]);
});

describe('two agents over HTTP never share a question', () => {
  it.each([
    ['of different applications', ['one', 'other']],
    ['of one application', ['host', 'host']],
  ])('%s', async (_, names) => {
    const { connect, deleted } = await startServer();
    const [one, other] = [await connect(names[0] ?? ''), await connect(names[1] ?? '')];
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

  it('if the second one begins while the calls of the first one wait', async () => {
    const { connect, deleted } = await startServer();
    const one = await connect('host');
    const calls = [3001, 3002, 3003].map((id) => one.remove(id));
    await one.asked(1);
    const other = await connect('host');
    const own = other.remove(3004);
    await other.asked(1);
    expect(other.questions[0]?.message).toContain('`3004`');
    one.questions[0]?.answer(yes);
    await one.asked(2);
    expect(one.questions[1]?.message).toContain('crm.contacts.delete, 2 calls');
    one.questions[1]?.answer(yes);
    other.questions[0]?.answer(no);
    await Promise.all([...calls, own]);
    expect(deleted()).toBe(3);
  });

  it('if clients send no token, even one of them with one connection', async () => {
    const { connect } = await startServer({ secret: undefined });
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

describe('a set that was cut off, over HTTP', () => {
  const calls = ['one', 'other', 'third'].map((name) => ({ name }));
  const create = { method: 'crm.tags.create', calls };

  it('is not told to a second window of the application that skips discovery, and no call is made twice', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { context, serve, sent, open } = await startSlowServer();
    const [one, other] = [serve(1), serve(1_000)];
    await one.discover();
    const first = one.write(create);
    await sent(2);
    await vi.advanceTimersByTimeAsync(45_000);
    const [, set = ''] = /set: "([\w-]+)"/.exec(await first) ?? [];
    open();
    const text = await other.write(create);
    expect(text).toMatch(
      /^crm\.tags\.create: these calls were cut off before, and some may have been made\. Nothing was sent\./,
    );
    expect(text).not.toContain(set);
    expect(await other.write({ ...create, calls: calls.slice(1) })).toContain('2 of 2 calls succeeded');
    expect(await one.write({ method: 'crm.tags.create', set })).toContain('3 of 3 calls succeeded');
    expect(await other.write(create)).toContain('3 of 3 calls succeeded');
    const made = context.sandbox?.requests.filter(({ operation }) => operation === 'createTag').length;
    expect(made).toBe(8);
  });
});

describe('a client is one agent', () => {
  const info = { name: 'host', version: '1' };

  it('with one discovery and distinct numbers as request IDs', () => {
    const clients = new Clients(true);
    clients.begin(info);
    const sessions = [1, 2, 3].map((id) => clients.sessionOf(info, id));
    expect(sessions.map(({ isShared }) => isShared)).toEqual([false, false, false]);
    expect(new Set(sessions).size).toBe(1);
  });

  it.each<[string, (clients: Clients) => unknown]>([
    ['a second discovery', (clients) => clients.begin(info)],
    ['a request ID twice', (clients) => clients.sessionOf(info, 1)],
    ['a request ID that is no number', (clients) => clients.sessionOf(info, crypto.randomUUID())],
  ])('until %s', (_, meet) => {
    const clients = new Clients(true);
    clients.begin(info);
    expect(clients.sessionOf(info, 1).isShared).toBe(false);
    meet(clients);
    expect(clients.sessionOf(info, 2).isShared).toBe(true);
  });

  it('never without a discovery, or without a token', () => {
    expect(new Clients(true).sessionOf(info, 1).isShared).toBe(true);
    const open = new Clients(false);
    open.begin(info);
    expect(open.sessionOf(info, 1).isShared).toBe(true);
  });
});
