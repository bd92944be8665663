import {
  type Command,
  describeOptions,
  isLoopback,
  type ListenOptions,
  parseOptions,
  UsageError,
} from '../../shared/server/options.ts';
import type { Effect } from '../catalogue/index.ts';
import { unknownPatterns } from './policy.ts';

export interface McpOptions extends ListenOptions {
  /** Whether it serves HTTP instead of standard input and output. */
  http: boolean;
  /** The file with the token that clients send over HTTP: a path, or `default`; `none` if they need no token. */
  token: { file: string } | 'default' | 'none';
  sandbox: boolean;
  readOnly: boolean;
  /** The effects that the methods of programs may have; `undefined` if no program can run. */
  run: Effect[] | undefined;
  /** Methods and groups that are permitted; empty permits all. */
  allow: string[];
}

function mcpCommand(line: string) {
  return {
    line,
    port: 4013,
    options: {
      http: { type: 'boolean', text: 'serve Streamable HTTP at /mcp (default: standard input and output)' },
      token: {
        type: 'boolean',
        negatable: true,
        text: 'over HTTP, serve only clients that send a token (default: on; it is in a file beside your credentials)',
      },
      'token-file': { type: 'string', value: 'file', text: 'the file with the token; without one, it is created' },
      sandbox: { type: 'boolean', text: 'use an embedded sandbox with invented data; nothing reaches the service' },
      'read-only': { type: 'boolean', text: 'permit only methods that read' },
      run: {
        type: 'boolean',
        text: 'add a tool that runs programs over methods that read (needs two more packages: see the guide)',
      },
      'run-all': { type: 'boolean', text: 'the same over all methods; the person is asked as for single calls' },
      allow: {
        type: 'string',
        value: 'method',
        multiple: true,
        text: 'permit this method or group (crm.deals.*) and no other; repeat it for several',
      },
    },
  } satisfies Command<string>;
}

/** Parses the command line. */
export function parseMcpOptions(line: string, args: string[]): McpOptions {
  const { given, ...listen } = parseOptions(mcpCommand(line), args);
  if (!isLoopback(listen.host))
    throw new UsageError(`--host is an address of this machine, such as 127.0.0.1, not '${listen.host}'.`);
  const file = given['token-file'];
  if (file !== undefined && (given.http !== true || given.token === false))
    throw new UsageError('--token-file needs --http, without --no-token.');
  const allow = Array.isArray(given.allow) ? given.allow : [];
  const [unknown] = unknownPatterns(allow);
  if (unknown !== undefined)
    throw new UsageError(`--allow is a method or a group, such as crm.deals.list or crm.deals.*, not '${unknown}'.`);
  return {
    ...listen,
    http: given.http === true,
    token: given.token === false ? 'none' : typeof file === 'string' ? { file } : 'default',
    sandbox: given.sandbox === true,
    readOnly: given['read-only'] === true,
    run: given['run-all'] === true ? ['read', 'write', 'delete', 'send'] : given.run === true ? ['read'] : undefined,
    allow,
  };
}

export function describeMcpOptions(line: string): string {
  return `Lets agents call all methods over the Model Context Protocol. Asks you before it deletes, reaches people or costs money.
Credentials come from the environment or from the file of carillon login.

${describeOptions(mcpCommand(line))}`;
}
