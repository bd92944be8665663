/** `npm run mock`: the three specs → one stateless mock of all operations, by Prism, on one port. */
import { ListenError } from '../src/bin/listen-error.ts';
import { closeOnSignal } from '../src/bin/signals.ts';
import { UsageError } from '../src/bin/usage.ts';
import { describeListenOptions, parseListenOptions } from './serve/options.ts';
import { serve } from './serve/serve.ts';

const program = { command: 'npm run mock', port: 4010, host: '127.0.0.1' };

const help = `Serves a mock of all three specs under one address, with their real base paths.

${describeListenOptions(program)}

A request is checked against the spec and answered with its first example.
  Authorization: Bearer any    every token is accepted
  Prefer: code=404             asks for another documented reply
  Prefer: example=name         asks for another example
  Prefer: dynamic=true         asks for a reply made up from the schema`;

async function run(): Promise<void> {
  const options = parseListenOptions(process.argv.slice(2), program);
  if (options.help) {
    console.log(help);
    return;
  }
  // Prism takes most of the start, and a mistyped option or --help needs none of it.
  const { createMock } = await import('./mock/create-mock.ts');
  const mock = await createMock();
  const server = await serve(mock, options);
  closeOnSignal(server);
  console.log(`The mock answers ${mock.size} operations at ${server.url}

  const api = createClient({ baseUrl: '${server.url}', auth: { apiKey: 'any' } });

Ctrl+C ends it.`);
}

try {
  await run();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  const expected = error instanceof UsageError || error instanceof ListenError;
  console.error(expected ? reason : `The mock could not start: ${reason}`);
  process.exitCode = 1;
}
