import { setImmediate as turn } from 'node:timers/promises';
import { type Context, createContext } from '../../../src/cli/mcp/context.ts';
import { createClient } from '../../../src/client/client.ts';

/** A sandbox whose changing calls wait at a gate after some of them. */
export async function slowContext(free: number) {
  const context = await createContext({ sandbox: true, warn() {}, version: '0' });
  const { sandbox } = context;
  if (!sandbox) throw new Error('There is no sandbox');
  const changes: string[] = [];
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const client = createClient({
    baseUrl: 'https://sandbox.invalid',
    auth: { apiKey: 'sandbox' },
    async fetch(url, init) {
      if (init.method !== 'GET') {
        changes.push(String(init.body ?? url));
        if (changes.length > free) await gate;
      }
      return sandbox.fetch(url, init);
    },
  });
  const sent = async (count: number): Promise<void> => {
    while (changes.length < count) await turn();
  };
  return { context: { ...context, client } satisfies Context, changes, sent, open };
}
