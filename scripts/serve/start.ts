/**
 * `npm start` after the installation: generates code, builds the docs, serves mock, docs and sandbox, and makes some
 * calls.
 */
import { join } from 'node:path';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { messageOf } from '../../src/shared/message-of.ts';
import type { FetchHandler } from '../../src/shared/server/handler.ts';
import { ListenError } from '../../src/shared/server/listen-error.ts';
import {
  addListenOptions,
  isLoopback,
  type ListenFlags,
  type ListenOptions,
  readListenOptions,
} from '../../src/shared/server/listen-options.ts';
import { type RunningServer, serve } from '../../src/shared/server/serve.ts';
import { closeOnSignal } from '../../src/shared/server/signals.ts';
import { repositoryRoot } from '../spec/files.ts';
import { staticHandler } from './start/static-files.ts';

const defaultPort = 4010;
const about = 'Serves docs, mock and sandbox. The docs and the sandbox use the two ports after the port of the mock.';
const site = join(repositoryRoot, 'site');

/** Stops the program after the reason has been printed. */
class Stop extends Error {}

async function start(options: ListenOptions): Promise<void> {
  // Bind ports first, so that a busy port fails before the one-minute build.
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

/** Prepares the parts one after another and prints their addresses. */
async function prepare(listen: (handler: FetchHandler) => Promise<string>, host: string): Promise<void> {
  const parts = { mock: late(), docs: late(), sandbox: late() };
  const mock = await listen(parts.mock.handler);
  const docs = await listen(parts.docs.handler);
  const sandbox = await listen(parts.sandbox.handler);
  await step('Generating types, validators and operations from spec/', async () => {
    const { regenerate } = await import('../generate/regenerate.ts');
    if (!(await regenerate())) throw new Stop();
  });
  await step('Starting mock and sandbox', async () => {
    // Imported here, because they read the newly generated files.
    const [{ mockOf }, { loadPrismOperations }, { createSandbox }, { withPage }, { pagePaths }] = await Promise.all([
      import('../../src/mock/create-mock.ts'),
      import('../build/prism-operations.ts'),
      import('../../src/sandbox/index.ts'),
      import('../../src/sandbox/page/with-page.ts'),
      import('../docs/addresses.ts'),
    ]);
    parts.mock.fill(mockOf(await loadPrismOperations()));
    const control = isLoopback(host);
    const rules = `${docs}${pagePaths.rules}`;
    parts.sandbox.fill(withPage(createSandbox({ control }), { control, links: { rules, choices: rules } }));
  });
  await step(
    'Calling the sandbox with the client. Paste the program into a project that has the package:',
    async () => {
      const { showCalls } = await import('./start/show-calls.ts');
      await showCalls(sandbox);
    },
  );
  console.log(`
Sandbox  ${sandbox}   keeps what you send and enforces every documented rule; its page shows the records
Mock     ${mock}   checks each request and responds with an example: npm run mock -- --help
`);
  await step('Building the docs', async () => {
    const { buildIfChanged } = await import('../docs/starlight/current-site.ts');
    const isBuilt = await buildIfChanged({
      root: repositoryRoot,
      site,
      // Imported only for a build, because loading the tools takes a second.
      build: async (report) => (await import('../docs/starlight/build-site.ts')).buildSite({ report }),
      report: (line) => console.log(`  ${line}`),
    });
    if (!isBuilt) console.log('  Nothing has changed since the last build.');
  });
  parts.docs.fill({ fetch: staticHandler(site) });
  console.log(`
Docs     ${docs}   the guides, and a page for each operation, whose samples run in the page

Ctrl+C ends it.`);
}

async function step(title: string, act: () => Promise<void>): Promise<void> {
  console.log(title);
  await act();
}

/** A handler that responds with 503 until its part is ready. */
function late(): { handler: FetchHandler; fill(part: FetchHandler): void } {
  let ready: FetchHandler | undefined;
  return {
    handler: { fetch: (request) => ready?.fetch(request) ?? new Response('Starting …', { status: 503 }) },
    fill(part) {
      ready = part;
    },
  };
}

/** Serves everything until a signal. Resolves to the exit code. */
export function runStart(args: string[]): Promise<number> {
  const command = addListenOptions(createCommand('npm start --', about), defaultPort);
  return runCommand<ListenFlags>(command, args, async (flags) => {
    const options = readListenOptions(flags, { port: defaultPort });
    try {
      await start(options);
      return 0;
    } catch (error) {
      if (error instanceof Stop) return 1;
      const reason = messageOf(error);
      console.error(error instanceof ListenError ? reason : `It could not start: ${reason}`);
      return 1;
    }
  });
}
