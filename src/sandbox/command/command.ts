import { randomBytes } from 'node:crypto';
import { behindName, runCommand } from '../../shared/command-line.ts';
import { ListenError } from '../../shared/server/listen-error.ts';
import { type Answered, serve } from '../../shared/server/serve.ts';
import { closeOnSignal } from '../../shared/server/signals.ts';
import { DatabaseFileError } from '../../shared/sqlite-file.ts';
import type { Sandbox, SandboxOptions } from '../index.ts';
import { maxSharedBody } from '../shared-use.ts';
import { SqliteStore } from '../sqlite-store/sqlite-store.ts';
import { readSandboxOptions, type SandboxCommandOptions, type SandboxFlags, sandboxCommand } from './options.ts';
import { formatLine, RequestLines } from './request-lines.ts';

/**
 * Serves a sandbox until a signal stops it.
 *
 * @param command - the command as a user types it, without options
 * @returns the exit code: 2 after a usage error
 */
export function runSandbox(command: string, args: string[]): Promise<number> {
  return runCommand<SandboxFlags>(sandboxCommand(command), args, async (flags) => {
    const hasFiles = [flags.config, flags.scenario, flags.observed].some((file) => file !== undefined);
    const fromFile = hasFiles ? (await import('./config.ts')).readFiles(flags) : {};
    let token: string | undefined;
    const createToken = (): string => {
      token = randomBytes(16).toString('hex');
      return token;
    };
    const options = readSandboxOptions(flags, fromFile, createToken);
    try {
      await start(options, flags, token);
      return 0;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const expected = [ListenError, DatabaseFileError].some((kind) => error instanceof kind);
      console.error(behindName(command, expected ? reason : `the sandbox could not start: ${reason}`));
      return 1;
    }
  });
}

async function start(
  { data, dataSync, ...rest }: SandboxCommandOptions,
  flags: Pick<SandboxFlags, 'seed' | 'start' | 'scenario'>,
  token: string | undefined,
): Promise<void> {
  const store = data === undefined ? undefined : await SqliteStore.open(data, { sync: dataSync });
  const sandbox = await create({ ...rest.sandbox, ...(store && { store }) });
  try {
    await sandbox.ready;
    const given = (['seed', 'start', 'scenario'] as const).filter((name) => flags[name] !== undefined);
    if (store?.hadData && given.length > 0) {
      const options = new Intl.ListFormat('en').format(given.map((name) => `--${name}`));
      console.error(`${data} already has data. ${options} would apply only to new data.`);
    }
    const hidden = (rest.sandbox.worlds ?? 'shared') === 'shared' ? sandbox.worldNames().length - 1 : 0;
    if (hidden > 0)
      console.error(
        `${data} has ${hidden} worlds of keys or headers, which this run does not show. Start it with --worlds as before.`,
      );
    await listen(sandbox, rest, data, token);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

async function listen(
  sandbox: Sandbox,
  { port, host, quiet, sandbox: options }: Omit<SandboxCommandOptions, 'data' | 'dataSync'>,
  data: string | undefined,
  token: string | undefined,
): Promise<void> {
  const lines = new RequestLines();
  const { control = false } = options;
  const { withPage } = await import('../page/with-page.ts');
  const server = await serve(withPage(sandbox, { control }), {
    port,
    host,
    ...((options.worlds ?? 'shared') !== 'shared' && { maxBodySize: maxSharedBody }),
    ...(!quiet && { onAnswered: (answered: Answered) => isPoll(answered) || lines.add(formatLine(answered)) }),
  });
  closeOnSignal({ close: () => server.close().finally(() => sandbox.close()) });
  const seen = `  Page      ${server.url}/${token === undefined ? '' : `#token=${token}`} (records, requests, scenarios, clock, faults, snapshots)\n`;
  const controlled = `${seen}  Control   ${server.url}/__sandbox/ (the same over HTTP)\n`;
  const key = options.apiKeys || sandbox.scenario?.apiKeys || options.clients ? '…' : 'any';
  const secret =
    token === undefined ? '' : `  Token     ${token} (send control requests with Authorization: Bearer <token>)\n`;
  const kept = data === undefined ? '' : `  Data      ${data} (kept after a restart)\n`;
  const { scenario } = sandbox;
  const begun = scenario ? `  Scenario  ${scenario.name}: ${scenario.description ?? ''}\n` : '';
  console.log(`The sandbox answers at ${server.url}

  const api = createClient({ baseUrl: '${server.url}', auth: { apiKey: '${key}' } });

${options.control ? controlled + secret : ''}${kept}${begun}  Contacts  ${sandbox.state.crm.contacts.size} (use --seed for more)

Ctrl+C ends it.`);
}

/** Whether a request only reads control data. The page sends many of them. */
function isPoll({ method, target, status }: Answered): boolean {
  return method === 'GET' && status === 200 && target.startsWith('/__sandbox/');
}

/** Loads the sandbox on demand, because a mistyped option and --help do not need it. */
async function create(options: SandboxOptions): Promise<Sandbox> {
  const { createSandbox } = await import('../index.ts');
  return createSandbox(options);
}
