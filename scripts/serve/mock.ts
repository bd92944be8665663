/** `npm run mock`: serves a stateless mock of all operations of the three specs, by Prism, on one port. */
import { ListenError } from '../../src/server/listen-error.ts';
import { describeOptions, parseOptions, UsageError } from '../../src/server/options.ts';
import { serve } from '../../src/server/serve.ts';
import { closeOnSignal } from '../../src/server/signals.ts';

const command = { line: 'npm run mock --', port: 4010 };

const help = `Serves a mock of all three specs under one address, with their real base paths.

${describeOptions(command)}

A request is checked against the spec and answered with its first example.
  Authorization: Bearer any    every token is accepted
  Prefer: code=404             asks for another documented reply
  Prefer: example=name         asks for another example
  Prefer: dynamic=true         asks for a reply made up from the schema`;

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
