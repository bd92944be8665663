import type { Command } from 'commander';
import { behindName, createCommand, runCommand } from '../../shared/command-line.ts';
import { messageOf } from '../../shared/message-of.ts';
import { ListenError } from '../../shared/server/listen-error.ts';
import {
  addListenOptions,
  type ListenFlags,
  type ListenOptions,
  readListenOptions,
} from '../../shared/server/listen-options.ts';
import { serve } from '../../shared/server/serve.ts';
import { closeOnSignal } from '../../shared/server/signals.ts';
import { readVersion } from '../../shared/version.ts';
import type { LoadedMock } from '../create-mock.ts';
import type { PrismOperation } from '../operation.ts';

const defaultPort = 4010;

const about = `Serves a mock of all three specs at one URL, with their real base paths.

The mock checks each request against the spec and responds with the first example.
  Authorization: Bearer any    any token is accepted
  Prefer: code=404             requests another documented status
  Prefer: example=name         requests the example with this name
  Prefer: dynamic=true         requests a response generated from the schema`;

/** Reads the operations of the mock. */
export type ReadOperations = () => Promise<PrismOperation[]>;

/**
 * Serves the mock until a signal stops it. Resolves to the exit code.
 *
 * @param line - the command as a user types it, without options
 */
export function runMock(line: string, args: string[], read: ReadOperations): Promise<number> {
  return runCommand<ListenFlags>(mockCommand(line), args, async (flags) => {
    const options = readListenOptions(flags, { port: defaultPort });
    try {
      await start(options, read);
      return 0;
    } catch (error) {
      const reason = messageOf(error);
      console.error(behindName(line, error instanceof ListenError ? reason : `The mock could not start: ${reason}`));
      return 1;
    }
  });
}

function mockCommand(line: string): Command {
  const command = createCommand(line, about).version(readVersion(), '--version', 'show the version');
  return addListenOptions(command, defaultPort);
}

/** Listens first, so that the start fails at once if the port is in use. Requests that arrive while Prism is loading wait. */
async function start(options: ListenOptions, read: ReadOperations): Promise<void> {
  let loading: Promise<LoadedMock> | undefined;
  const load = (): Promise<LoadedMock> => {
    loading ??= Promise.all([import('../create-mock.ts'), read()]).then(([{ mockOf }, operations]) =>
      mockOf(operations),
    );
    return loading;
  };
  const server = await serve({ fetch: async (request) => (await load()).fetch(request) }, options);
  try {
    const { size } = await load();
    closeOnSignal(server);
    console.log(`The mock serves ${size} operations at ${server.url}

  const api = createClient({ baseUrl: '${server.url}', auth: { apiKey: 'any' } });

Press Ctrl+C to stop.`);
  } catch (error) {
    await server.close();
    throw error;
  }
}
