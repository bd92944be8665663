/** The second half of `npm start`: generates, builds the docs, serves mock and docs, and makes a few calls. */
import { join } from 'node:path';
import { buildSite } from './docs/site.ts';
import { regenerate } from './generate/regenerate.ts';
import { createMock } from './mock/create-mock.ts';
import { ListenError } from './serve/listen-error.ts';
import { describeListenOptions, parseListenOptions, UsageError } from './serve/options.ts';
import { type FetchHandler, type RunningServer, serve } from './serve/serve.ts';
import { closeOnSignal } from './serve/signals.ts';
import { staticHandler } from './serve/static.ts';
import { repositoryRoot } from './spec/files.ts';
import { showCalls } from './start/calls.ts';

const program = { command: 'npm start', port: 4010, host: '127.0.0.1' };
const site = join(repositoryRoot, 'site');

/** Stops the program for a reason that has been printed already. */
class Stop extends Error {}

async function start(): Promise<void> {
  const options = parseListenOptions(process.argv.slice(2), program);
  if (options.help) {
    console.log(`${describeListenOptions(program)}\n\nThe docs are served on the port after the mock's.`);
    return;
  }
  const { port, host } = options;
  // The ports first: a busy one is told before a minute of work, not after it.
  const pending = new Map<string, FetchHandler>();
  const mockServer = await serve(late(pending, 'mock'), { port, host });
  const docsServer = await serve(late(pending, 'docs'), { port: port && port + 1, host }).catch(
    async (error: unknown) => {
      await mockServer.close();
      throw error;
    },
  );
  const both: RunningServer = { url: mockServer.url, close: () => closeAll([mockServer, docsServer]) };
  try {
    await step('Generating types, validators and operations from spec/', async () => {
      if (!(await regenerate())) throw new Stop();
    });
    await step('Building the docs', () => buildSite({ output: site, report: (line) => console.log(`  ${line}`) }));
    pending.set('docs', { fetch: staticHandler(site) });
    await step('Starting the mock', async () => {
      const mock = await createMock();
      pending.set('mock', mock);
      console.log(`  ${mock.size} operations`);
    });
    await step('A few calls, from the typed client to the mock', () => showCalls(mockServer.url));
  } catch (error) {
    await both.close();
    throw error;
  }
  closeOnSignal(both);
  console.log(`
Mock  ${mockServer.url}   try: curl -H 'Authorization: Bearer any' ${mockServer.url}/crm/v1/users
Docs  ${docsServer.url}   also on disk: site/index.html
Code  spec/ is written by hand, generated/ from it, src/ is the client

Ctrl+C ends it.`);
}

async function step(title: string, act: () => Promise<void>): Promise<void> {
  console.log(title);
  await act();
}

/** A handler that is filled in once its part is ready. */
function late(parts: Map<string, FetchHandler>, name: string): FetchHandler {
  return { fetch: (request) => parts.get(name)?.fetch(request) ?? new Response('Starting …', { status: 503 }) };
}

async function closeAll(servers: RunningServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.close()));
}

try {
  await start();
} catch (error) {
  process.exitCode = 1;
  if (!(error instanceof Stop)) {
    const reason = error instanceof Error ? error.message : String(error);
    const expected = error instanceof UsageError || error instanceof ListenError;
    console.error(expected ? reason : `It could not start: ${reason}`);
  }
}
