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
}

function sandboxCommand(line: string): Command<'seed' | 'control'> {
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
  const { seed, control } = given;
  return {
    ...listen,
    seed: typeof seed === 'string' ? parseSeed(seed) : 0,
    control: typeof control === 'boolean' ? control : isLoopback(listen.host),
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
