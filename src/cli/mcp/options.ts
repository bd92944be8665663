import type { Command } from 'commander';
import { createCommand, readNumber, repeated, UsageError } from '../../shared/command-line.ts';
import {
  addListenOptions,
  isLoopback,
  type ListenFlags,
  type ListenOptions,
  readListenOptions,
} from '../../shared/server/listen-options.ts';
import { readVersion } from '../../shared/version.ts';
import { maxPeople } from '../catalogue/needs-consent.ts';
import { unknownPatterns } from './policy.ts';

export interface McpOptions extends ListenOptions {
  /** Whether to serve HTTP instead of standard input and output. */
  http: boolean;
  /** File with the token that clients send over HTTP. `default` is a file beside the credentials. `none` requires no token. */
  token: { file: string } | 'default' | 'none';
  sandbox: boolean;
  readOnly: boolean;
  /** Permitted methods and groups. An empty list permits all. */
  allow: string[];
  /** Maximum number of people or records that calls can affect without confirmation, if the calls can be undone. */
  maxPeople: number;
}

/** The options as a user types them. */
export interface McpFlags extends ListenFlags {
  http?: boolean;
  token?: boolean;
  tokenFile?: string;
  sandbox?: boolean;
  readOnly?: boolean;
  allow?: string[];
  askAbove?: string;
}

const defaultPort = 4013;

/** @param line - the command as a user types it, without options */
export function mcpCommand(line: string): Command {
  const about = `Lets agents call all methods over the Model Context Protocol. Asks for confirmation before calls that reach people, cost money, cannot be undone or affect many people.
Credentials come from the environment or from the file that carillon login writes.`;
  return addListenOptions(
    createCommand(line, about).version(readVersion(), '--version', 'show the version'),
    defaultPort,
  )
    .option('--http', 'serve Streamable HTTP at /mcp (default: standard input and output)')
    .option(
      '--no-token',
      'over HTTP, also serve clients that send no token (default: require the token in a file beside your credentials)',
    )
    .option('--token-file <file>', 'file with the token; created if the file does not exist')
    .option('--sandbox', 'use an embedded sandbox with example data; nothing reaches the service')
    .option(
      '--ask-above <people>',
      `ask for confirmation before calls that affect more people or records than this number, even if the calls can be undone (default: ${maxPeople})`,
    )
    .option('--read-only', 'permit only methods that read')
    .option('--allow <method>', 'permit only this method or group (such as crm.deals.*); can be repeated', repeated);
}

/** @throws `UsageError` for invalid options */
export function readMcpOptions(flags: McpFlags): McpOptions {
  const listen = readListenOptions(flags, { port: defaultPort });
  if (!isLoopback(listen.host))
    throw new UsageError(`--host must be an address of this machine, such as 127.0.0.1, not '${listen.host}'.`);
  const { http = false, token = true, tokenFile: file, allow = [], askAbove = String(maxPeople) } = flags;
  if (file !== undefined && !(http && token))
    throw new UsageError('--token-file needs --http, and cannot be combined with --no-token.');
  const [unknown] = unknownPatterns(allow);
  if (unknown !== undefined)
    throw new UsageError(
      `--allow must be a method or a group, such as crm.deals.list or crm.deals.*, not '${unknown}'.`,
    );
  return {
    ...listen,
    http,
    token: token ? (file === undefined ? 'default' : { file }) : 'none',
    sandbox: flags.sandbox ?? false,
    readOnly: flags.readOnly ?? false,
    allow,
    maxPeople: readNumber(askAbove, 'ask-above', { kind: 'number of people', whole: true, min: 0 }),
  };
}
