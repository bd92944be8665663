import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { behindName, runCommand } from '../../shared/command-line.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { PlainHandler } from '../../shared/server/handler.ts';
import { ListenError } from '../../shared/server/listen-error.ts';
import { type RunningServer, type ServedRequest, serve } from '../../shared/server/serve.ts';
import { closeOnSignal } from '../../shared/server/signals.ts';
import { DatabaseFileError } from '../../shared/sqlite-file.ts';
import type { Sandbox, SandboxOptions } from '../index.ts';
import { withoutSecrets } from '../log/logged-request.ts';
import { SqliteStore, storeFile } from '../store/sqlite-store.ts';
import { StoredDataError } from '../world/stored/read-worlds.ts';
import { readSandboxOptions, type SandboxCommandOptions, type SandboxFlags, sandboxCommand } from './options.ts';

/**
 * Serves a sandbox until a signal stops it.
 *
 * @param command - the command as a user types it, without options
 * @returns the exit code: 2 after a usage error
 */
export function runSandbox(command: string, args: string[]): Promise<number> {
  return runCommand<SandboxFlags>(sandboxCommand(command), args, async (flags) => {
    const hasFiles = [flags.config, flags.scenario].some((file) => file !== undefined);
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
      const reason = messageOf(error);
      const expected = [ListenError, DatabaseFileError].some((kind) => error instanceof kind);
      console.error(behindName(command, expected ? reason : `the sandbox could not start: ${reason}`));
      return 1;
    }
  });
}

/** Serves a new sandbox. If the start fails, a new data file is deleted, so that a later start does not use the file. */
async function start(
  options: SandboxCommandOptions,
  flags: Pick<SandboxFlags, 'seed' | 'start' | 'scenario'>,
  token: string | undefined,
): Promise<void> {
  const { data } = options;
  const isNew = data !== undefined && !existsSync(join(data, storeFile));
  const store = data === undefined ? undefined : await SqliteStore.open(data, { sync: options.dataSync });
  try {
    const sandbox = await create({ ...options.sandbox, ...(store && { store }) });
    if (store) warn(options, flags, store, sandbox);
    const { withPage } = await import('../page/with-page.ts');
    const server = await listen(withPage(sandbox, { control: options.sandbox.control ?? false }), options);
    closeOnSignal({ close: () => server.close().finally(() => sandbox.close()) });
    printStart(server.url, sandbox, options, token);
  } catch (error) {
    store?.close();
    if (isNew) for (const end of ['', '-journal']) rmSync(join(data, storeFile + end), { force: true });
    if (!(error instanceof StoredDataError)) throw error;
    throw new DatabaseFileError(
      `${join(data ?? '', storeFile)}: ${error.message} Restore the file from a copy, or choose another folder.`,
    );
  }
}

/** Warns about options that have no effect on the stored data. */
function warn(
  { data, sandbox: { worlds = 'shared' } }: SandboxCommandOptions,
  flags: Pick<SandboxFlags, 'seed' | 'start' | 'scenario'>,
  { hadData }: SqliteStore,
  sandbox: Sandbox,
): void {
  const given = (['seed', 'start', 'scenario'] as const).filter((name) => flags[name] !== undefined);
  if (hadData && given.length > 0) {
    const names = new Intl.ListFormat('en').format(given.map((name) => `--${name}`));
    console.error(`${data} already contains data. ${names} would apply only to new data.`);
  }
  const hidden = worlds === 'shared' ? sandbox.worldNames().length - 1 : 0;
  if (hidden > 0)
    console.error(
      `${data} contains ${hidden} worlds for API keys or header values. This run does not use these worlds. To use them, start the sandbox with the same value of --worlds as before.`,
    );
}

function listen(handler: PlainHandler, { port, host, quiet }: SandboxCommandOptions): Promise<RunningServer> {
  return serve(handler, {
    port,
    host,
    ...(!quiet && { onResponse: (served: ServedRequest) => isPoll(served) || console.log(formatRequest(served)) }),
  });
}

const maxPathLength = 200;

/** Formats a request as one line: method, path, status, rule or choice, milliseconds. Omits credentials and the body. */
export function formatRequest({ method, target, status, header, milliseconds }: ServedRequest): string {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query) + withoutSecrets(target.slice(query));
  // Other characters could control the terminal.
  const printable = path.replace(/[^\x20-\x7e]/g, '?');
  const shown = printable.length > maxPathLength ? `${printable.slice(0, maxPathLength)}…` : printable;
  const cause = header('x-sandbox-rule')?.split(';', 1)[0] ?? (status >= 400 ? header('x-sandbox-choice') : null);
  return [method, shown, status || 'dropped', cause, `${milliseconds.toFixed(1)} ms`].filter(Boolean).join(' ');
}

function printStart(
  url: string,
  sandbox: Sandbox,
  { data, sandbox: options }: SandboxCommandOptions,
  token: string | undefined,
): void {
  const seen = `  Page      ${url}/${token === undefined ? '' : `#token=${token}`} (records, requests, scenarios, clock, faults, snapshots)\n`;
  const controlled = `${seen}  Control   ${url}/__sandbox/ (the same functions over HTTP)\n`;
  const key = options.apiKeys || sandbox.scenario?.apiKeys || options.clients ? '…' : 'any';
  const secret =
    token === undefined ? '' : `  Token     ${token} (send control requests with Authorization: Bearer <token>)\n`;
  const kept = data === undefined ? '' : `  Data      ${data} (kept after a restart)\n`;
  const { scenario } = sandbox;
  const begun = scenario ? `  Scenario  ${scenario.name}: ${scenario.description ?? ''}\n` : '';
  console.log(`The sandbox listens at ${url}

  const api = createClient({ baseUrl: '${url}', auth: { apiKey: '${key}' } });

${options.control ? controlled + secret : ''}${kept}${begun}  Contacts  ${sandbox.state.crm.contacts.size} (use --seed for more)

Press Ctrl+C to stop.`);
}

/** Whether a request only reads control data. The page sends many such requests. */
function isPoll({ method, target, status }: ServedRequest): boolean {
  return method === 'GET' && status === 200 && target.startsWith('/__sandbox/');
}

/** Loads the sandbox on demand, because a mistyped option and --help do not need the sandbox. */
async function create(options: SandboxOptions): Promise<Sandbox> {
  const { createSandbox } = await import('../index.ts');
  return createSandbox(options);
}
