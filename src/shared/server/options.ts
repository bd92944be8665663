import { parseArgs } from 'node:util';

/** The command line is invalid. The message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An option of a command: how to parse it, and how `--help` describes it. */
export interface CommandOption {
  type: 'string' | 'boolean';
  short?: string;
  /** Placeholder for the value in `--help`, such as `number`. */
  value?: string;
  /** Whether a boolean option can be negated: `--no-control`. */
  negatable?: true;
  /** Whether the option can be given several times. */
  multiple?: true;
  text: string;
}

/** A command that listens on a port. */
export interface Command<Name extends string = never> {
  /** The command as a user types it, without options: `npm run mock --`. */
  line: string;
  /** The default port. */
  port: number;
  /** The default address (default: this machine only). */
  host?: string | undefined;
  /** Options in addition to `--port`, `--host` and `--help`. */
  options?: Record<Name, CommandOption>;
}

export interface ListenOptions {
  port: number;
  host: string;
  help: boolean;
}

type Value = string | boolean | string[];
type Values<Name extends string> = { [Key in Name]?: Value };

const defaultHost = '127.0.0.1';

function listenOptions(port: number): Record<keyof ListenOptions, CommandOption> {
  return {
    port: { type: 'string', short: 'p', value: 'number', text: `port; 0 takes any free one (default ${port})` },
    host: {
      type: 'string',
      value: 'name',
      text: `address to listen on (default ${defaultHost}: this machine only)`,
    },
    help: { type: 'boolean', short: 'h', text: 'show this help' },
  };
}

/** All options in the order in which `--help` lists them. `--help` itself is last. */
function optionsOf<Name extends string>({ port, options }: Command<Name>): [name: string, option: CommandOption][] {
  const { help, ...first } = listenOptions(port);
  return Object.entries<CommandOption>({ ...first, ...options, help });
}

/** Parses a command line. Throws a UsageError that says where the options are described. */
export function parseOptions<Name extends string = never>(
  command: Command<Name>,
  args: string[],
): ListenOptions & { given: Values<Name> } {
  const { port, host, help, ...given } = parse(command, args);
  return {
    port: typeof port === 'string' ? parsePort(port) : command.port,
    host: typeof host === 'string' && host !== '' ? host : (command.host ?? defaultHost),
    help: help === true,
    given: given as Values<Name>,
  };
}

/** Usage and options of a command, for its `--help`. */
export function describeOptions<Name extends string>(command: Command<Name>): string {
  const listed = optionsOf(command).map(([name, { short, value, negatable, text }]) => {
    const flag = `${short ? `-${short}, ` : '    '}--${negatable ? '[no-]' : ''}${name}${value ? ` <${value}>` : ''}`;
    return [flag, text] as const;
  });
  const width = Math.max(...listed.map(([flag]) => flag.length)) + 2;
  const lines = listed.map(([flag, text]) => `  ${flag.padEnd(width)}${text}`);
  return [`Usage: ${command.line} [options]`, '', ...lines].join('\n');
}

/** Whether only this machine can reach a server on this address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function parse<Name extends string>(command: Command<Name>, args: string[]): Record<string, Value | undefined> {
  const options = optionsOf(command);
  try {
    const known = options.map(
      ([name, { type, short, multiple }]) =>
        [name, { type, ...(short && { short }), ...(multiple && { multiple }) }] as const,
    );
    return parseArgs({ args, allowNegative: true, options: Object.fromEntries(known) }).values as Record<
      string,
      Value | undefined
    >;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Drop the rest of Node's message: it is about positional arguments, which no command takes.
    const [reason] = error.message.split(/[.\n]/);
    throw new UsageError(`${reason}. ${command.line} --help shows the usage.`);
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new UsageError(`--port is a whole number from 0 to 65535, not '${text}'.`);
  }
  return port;
}
