/** The second half of `npm start`: generates, builds the docs, serves mock, docs and sandbox, and makes a few calls. */
import { join } from 'node:path';
import { ListenError } from '../src/bin/listen-error.ts';
import { closeOnSignal } from '../src/bin/signals.ts';
import { UsageError } from '../src/bin/usage.ts';
import { buildSite } from './docs/site.ts';
import { regenerate } from './generate/regenerate.ts';
import { describeListenOptions, parseListenOptions } from './serve/options.ts';
import { type FetchHandler, type RunningServer, serve } from './serve/serve.ts';
import { staticHandler } from './serve/static.ts';
import { repositoryRoot } from './spec/files.ts';

const program = { command: 'npm start', port: 4010, host: '127.0.0.1' };
const site = join(repositoryRoot, 'site');

/** Stops the program for a reason that has been printed already. */
class Stop extends Error {}

async function start(): Promise<void> {
  const options = parseListenOptions(process.argv.slice(2), program);
  if (options.help) {
    console.log(
      `${describeListenOptions(program)}\n\nThe docs and the sandbox are served on the two ports after the mock's.`,
    );
    return;
  }
  // The ports first: a busy one is told before a minute of work, not after it.
  const servers: RunningServer[] = [];
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  try {
    const listen = async (handler: FetchHandler): Promise<string> => {
      const port = options.port && options.port + servers.length;
      const server = await serve(handler, { port, host: options.host });
      servers.push(server);
      return server.url;
    };
    await prepare(listen, options.host);
  } catch (error) {
    await close();
    throw error;
  }
  closeOnSignal({ close });
}

/** Fills the servers, one part after another, and says where everything is. */
async function prepare(listen: (handler: FetchHandler) => Promise<string>, host: string): Promise<void> {
  const parts = { mock: late(), docs: late(), sandbox: late() };
  const mock = await listen(parts.mock.handler);
  const docs = await listen(parts.docs.handler);
  const sandbox = await listen(parts.sandbox.handler);
  await step('Generating types, validators and operations from spec/', async () => {
    if (!(await regenerate())) throw new Stop();
  });
  await step('Building the docs', () => buildSite({ output: site, report: (line) => console.log(`  ${line}`) }));
  parts.docs.fill({ fetch: staticHandler(site) });
  await step('Starting mock and sandbox', async () => {
    // What they are made from has only now been generated.
    const [{ createMock }, { createSandbox }, { isLoopback }] = await Promise.all([
      import('./mock/create-mock.ts'),
      import('../src/sandbox/index.ts'),
      import('../src/bin/options.ts'),
    ]);
    const created = await createMock();
    parts.mock.fill(created);
    parts.sandbox.fill(createSandbox({ control: isLoopback(host) }));
    console.log(`  ${created.size} operations each`);
  });
  await step('A few calls, from the typed client to the sandbox', async () => {
    const { showCalls } = await import('./start/calls.ts');
    await showCalls(sandbox);
  });
  console.log(`
Mock     ${mock}   answers with examples: curl -H 'Authorization: Bearer any' ${mock}/crm/v1/users
Docs     ${docs}   also on disk: site/index.html
Sandbox  ${sandbox}   keeps what it is sent: curl -H 'Authorization: Bearer any' ${sandbox}/crm/v1/pipelines
Code     spec/ is written by hand, generated/ from it, src/ is the client and the sandbox

Ctrl+C ends it.`);
}

async function step(title: string, act: () => Promise<void>): Promise<void> {
  console.log(title);
  await act();
}

/** A handler that is filled in once its part is ready. */
function late(): { handler: FetchHandler; fill(part: FetchHandler): void } {
  let ready: FetchHandler | undefined;
  return {
    handler: { fetch: (request) => ready?.fetch(request) ?? new Response('Starting …', { status: 503 }) },
    fill(part) {
      ready = part;
    },
  };
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
