import {
  type Command,
  describeOptions,
  isLoopback,
  type ListenOptions,
  parseOptions,
  UsageError,
} from '../server/options.ts';

export interface SandboxCommandOptions extends ListenOptions {
  /** Records beside the small data set. */
  seed: number;
  /** Whether it is controlled over HTTP. */
  control: boolean;
}

function sandboxCommand(line: string): Command<'seed' | 'control'> {
  return {
    line,
    port: 4012,
    options: {
      seed: {
        type: 'string',
        value: 'number',
        text: 'contacts, emails and the like beside the small data set (default 0)',
      },
      control: {
        type: 'boolean',
        negatable: true,
        text: 'whether requests below /__sandbox/ control it; by default they do on this machine only',
      },
    },
  };
}

/**
 * Reads the command line.
 *
 * @param line - the command as a user types it, up to its options
 */
export function parseSandboxOptions(line: string, args: string[]): SandboxCommandOptions {
  const { given, ...listen } = parseOptions(sandboxCommand(line), args);
  const { seed, control } = given;
  return {
    ...listen,
    seed: typeof seed === 'string' ? parseSeed(seed) : 0,
    control: typeof control === 'boolean' ? control : isLoopback(listen.host),
  };
}

export function describeSandboxOptions(line: string): string {
  return `Serves a sandbox of the whole API: stateful, and with the rules of the documents.

${describeOptions(sandboxCommand(line))}`;
}

function parseSeed(text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new UsageError(`--seed is a whole number of records, not '${text}'.`);
  return Number(text);
}
