import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Context, type ContextOptions, createContext } from '../../../src/cli/mcp/context.ts';
import { createServer } from '../../../src/cli/mcp/server.ts';
import { createSession } from '../../../src/cli/mcp/session.ts';

/** The protocol versions that real clients use. */
export const versions = { '2026-07-28': { pin: '2026-07-28' }, '2025-11-25': 'legacy' } as const;
export type Version = keyof typeof versions;

/** A person's answer to a question. */
export type Answer = (message: string) => {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, boolean>;
};

export const yes: Answer = () => ({ action: 'accept', content: { approve: true } });
export const no: Answer = () => ({ action: 'decline' });

/** A protocol client. Without an answer, it cannot ask. */
export function createAgent(version: Version, answer?: Answer, name = 'test'): Client {
  const client = new Client(
    { name, version: '1' },
    { versionNegotiation: { mode: versions[version] }, capabilities: answer ? { elicitation: { form: {} } } : {} },
  );
  if (answer) {
    client.setRequestHandler('elicitation/create', ({ params }) => Promise.resolve(answer(params.message)));
  }
  return client;
}

interface AgentOptions {
  answer?: Answer;
  context?: Context;
}

export interface Connected {
  client: Client;
  context: Context;
  /** Calls a tool and returns its text. */
  call(tool: string, input: Record<string, unknown>): Promise<{ text: string; isError: boolean }>;
  close(): Promise<void>;
}

/** Connects a client to an in-process server with a sandbox. */
export async function connectAgent(
  version: Version,
  { answer, context, ...options }: Partial<ContextOptions> & AgentOptions = {},
): Promise<Connected> {
  const shared = context ?? (await createContext({ sandbox: true, warn() {}, version: '0.0.0', ...options }));
  const session = createSession();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(() => createServer(shared, session), { transport: far });
  const client = createAgent(version, answer);
  await client.connect(near);
  return {
    client,
    context: shared,
    async call(tool, input) {
      const { content, isError = false } = await client.callTool({ name: tool, arguments: input });
      return { text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), isError };
    },
    async close() {
      await client.close();
      await handle.close();
    },
  };
}
