/** `npm run mock`: serves a stateless mock of all operations of the three specs with Prism, on one port. */

import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { ListenError } from '../../src/shared/server/listen-error.ts';
import {
  addListenOptions,
  type ListenFlags,
  type ListenOptions,
  readListenOptions,
} from '../../src/shared/server/listen-options.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { closeOnSignal } from '../../src/shared/server/signals.ts';

const defaultPort = 4010;

const about = `Serves a mock of all three specs at one URL, with their real base paths.

The mock checks a request against the spec and replies with the first example.
  Authorization: Bearer any    accepts any token
  Prefer: code=404             requests another documented status
  Prefer: example=name         requests the example with this name
  Prefer: dynamic=true         requests a reply generated from the schema`;

async function start(options: ListenOptions): Promise<void> {
  // Imported here, because loading Prism takes most of the start-up time and `--help` or a mistyped option does not need
  // it.
  const { createMock } = await import('./mock/create-mock.ts');
  const mock = await createMock();
  const server = await serve(mock, options);
  closeOnSignal(server);
  console.log(`The mock answers ${mock.size} operations at ${server.url}

  const api = createClient({ baseUrl: '${server.url}', auth: { apiKey: 'any' } });

Ctrl+C ends it.`);
}

/** Serves the mock until a signal stops it. Resolves to the exit code. */
export function runMock(args: string[]): Promise<number> {
  const command = addListenOptions(createCommand('npm run mock --', about), defaultPort);
  return runCommand<ListenFlags>(command, args, async (flags) => {
    const options = readListenOptions(flags, { port: defaultPort });
    try {
      await start(options);
      return 0;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      console.error(error instanceof ListenError ? reason : `The mock could not start: ${reason}`);
      return 1;
    }
  });
}
