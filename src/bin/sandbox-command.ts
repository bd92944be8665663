import { randomBytes } from 'node:crypto';
import type { Sandbox, SandboxOptions } from '../sandbox/index.ts';
import { ListenError } from '../server/listen-error.ts';
import { UsageError } from '../server/options.ts';
import { type Answered, serve } from '../server/serve.ts';
import { closeOnSignal } from '../server/signals.ts';
import { formatLine, RequestLines } from './request-lines.ts';
import { describeSandboxOptions, parseSandboxOptions } from './sandbox-options.ts';

/**
 * Serves a sandbox until a signal stops it.
 *
 * @param command - the command as a user types it, without options
 * @returns the exit code
 */
export async function runSandbox(command: string, args: string[]): Promise<number> {
  try {
    await start(command, args);
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const expected = [UsageError, ListenError].some((kind) => error instanceof kind);
    console.error(expected ? reason : `The sandbox could not start: ${reason}`);
    return 1;
  }
}

async function start(command: string, args: string[]): Promise<void> {
  const { help, config } = parseSandboxOptions(command, args);
  if (help) {
    console.log(describeSandboxOptions(command));
    return;
  }
  const fromFile = config === undefined ? {} : (await import('./sandbox-config.ts')).readConfig(config);
  let token: string | undefined;
  const createToken = () => {
    token = randomBytes(16).toString('hex');
    return token;
  };
  const { port, host, quiet, sandbox: options } = parseSandboxOptions(command, args, fromFile, createToken);
  const sandbox = await create(options);
  const lines = new RequestLines();
  const server = await serve(sandbox, {
    port,
    host,
    ...(!quiet && { onAnswered: (answered: Answered) => lines.add(formatLine(answered)) }),
  });
  closeOnSignal(server);
  const controlled = `  Control   ${server.url}/__sandbox/ (clock, faults, reset, snapshot, requests)\n`;
  const key = options.apiKeys || options.clients ? '…' : 'any';
  const secret =
    token === undefined ? '' : `  Token     ${token} (send control requests with Authorization: Bearer <token>)\n`;
  console.log(`The sandbox answers at ${server.url}

  const api = createClient({ baseUrl: '${server.url}', auth: { apiKey: '${key}' } });

${options.control ? controlled + secret : ''}  Contacts  ${sandbox.state.crm.contacts.size} (use --seed for more)

Ctrl+C ends it.`);
}

/** Loads the sandbox on demand: a mistyped option and --help do not need it. */
async function create(options: SandboxOptions): Promise<Sandbox> {
  const { createSandbox } = await import('../sandbox/index.ts');
  return createSandbox(options);
}
