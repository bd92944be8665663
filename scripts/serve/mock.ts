/** `npm run mock`: serves a stateless mock of all operations of the three specs, by Prism, on one port. */
import { ListenError } from '../../src/shared/server/listen-error.ts';
import { describeOptions, parseOptions, UsageError } from '../../src/shared/server/options.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { closeOnSignal } from '../../src/shared/server/signals.ts';

const command = { line: 'npm run mock --', port: 4010 };

const help = `Serves a mock of all three specs at one URL, with their real base paths.

${describeOptions(command)}

The mock checks a request against the spec and replies with the first example.
  Authorization: Bearer any    accepts any token
  Prefer: code=404             requests another documented status
  Prefer: example=name         requests the example with this name
  Prefer: dynamic=true         requests a reply generated from the schema`;

async function start(args: string[]): Promise<void> {
  const options = parseOptions(command, args);
  if (options.help) {
    console.log(help);
    return;
  }
  // Load Prism only now: it takes most of the start-up time, and --help or a mistyped option does not need it.
  const { createMock } = await import('./mock/create-mock.ts');
  const mock = await createMock();
  const server = await serve(mock, options);
  closeOnSignal(server);
  console.log(`The mock answers ${mock.size} operations at ${server.url}

  const api = createClient({ baseUrl: '${server.url}', auth: { apiKey: 'any' } });

Ctrl+C ends it.`);
}

/** Serves the mock until a signal stops it. Resolves to the exit code. */
export async function runMock(args: string[]): Promise<number> {
  try {
    await start(args);
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const expected = error instanceof UsageError || error instanceof ListenError;
    console.error(expected ? reason : `The mock could not start: ${reason}`);
    return error instanceof UsageError ? 2 : 1;
  }
}
