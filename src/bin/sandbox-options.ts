import type { SandboxOptions } from '../sandbox/index.ts';
import {
  type Command,
  describeOptions,
  isLoopback,
  type ListenOptions,
  parseOptions,
  UsageError,
} from '../server/options.ts';

export interface SandboxCommandOptions extends ListenOptions {
  /** Number of records to add to the small data set. */
  seed: number;
  /** Whether it can be controlled over HTTP. */
  control: boolean;
  /** Folder that keeps the data, or `undefined` to keep it in memory. */
  data: string | undefined;
  /** Whether a write also waits for the disk. */
  dataSync: boolean;
  /** Who shares a world. */
  worlds: SandboxOptions['worlds'];
  /** Maximum number of worlds, or `undefined` for the default. */
  maxWorlds: number | undefined;
}

type OptionName = 'seed' | 'control' | 'data' | 'data-sync' | 'worlds' | 'max-worlds';

function sandboxCommand(line: string): Command<OptionName> {
  return {
    line,
    port: 4012,
    options: {
      seed: {
        type: 'string',
        value: 'number',
        text: 'contacts, emails and other records to add to the small data set (default 0)',
      },
      control: {
        type: 'boolean',
        negatable: true,
        text: 'allow control requests below /__sandbox/ (default: only if it listens on this machine only)',
      },
      data: { type: 'string', value: 'folder', text: 'keep data and clock in this folder (default: in memory)' },
      'data-sync': { type: 'boolean', text: 'reply to a write only after the disk has it (survives a power failure)' },
      worlds: {
        type: 'string',
        value: 'kind',
        text: 'separate data, clock, faults and log: shared (default), credential, or header:<name>',
      },
      'max-worlds': { type: 'string', value: 'number', text: 'maximum number of worlds (default 100)' },
    },
  };
}

/**
 * Parses the command line.
 *
 * @param line - the command as a user types it, without options
 */
export function parseSandboxOptions(line: string, args: string[]): SandboxCommandOptions {
  const { given, ...listen } = parseOptions(sandboxCommand(line), args);
  const { seed, control, data, worlds } = given;
  if (given['data-sync'] && !data) throw new UsageError('--data-sync needs --data.');
  return {
    ...listen,
    seed: typeof seed === 'string' ? parseSeed(seed) : 0,
    control: typeof control === 'boolean' ? control : isLoopback(listen.host),
    data: typeof data === 'string' && data !== '' ? data : undefined,
    dataSync: given['data-sync'] === true,
    worlds: typeof worlds === 'string' ? parseWorlds(worlds) : 'shared',
    maxWorlds: typeof given['max-worlds'] === 'string' ? parseMaxWorlds(given['max-worlds']) : undefined,
  };
}

export function describeSandboxOptions(line: string): string {
  return `Serves a stateful sandbox of the whole API that enforces the documented rules.

${describeOptions(sandboxCommand(line))}`;
}

function parseSeed(text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new UsageError(`--seed is a whole number of records, not '${text}'.`);
  return Number(text);
}

function parseWorlds(text: string): SandboxOptions['worlds'] {
  if (text === 'shared' || text === 'credential') return text;
  const [, header] = /^header:([\w-]+)$/.exec(text) ?? [];
  if (header === undefined)
    throw new UsageError(`--worlds is shared, credential or header:<name>, such as header:x-world, not '${text}'.`);
  return { header };
}

function parseMaxWorlds(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--max-worlds is a whole number above 0, not '${text}'.`);
  return Number(text);
}
