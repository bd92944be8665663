import { parseArgs } from 'node:util';
import { UsageError } from '../../src/shared/server/options.ts';

/** How a command is called. */
export interface CommandLine<Value extends string = never, Flag extends string = never> {
  /** As a user types it, without options: `npm run bench --`. */
  line: string;
  /** What it does, in one sentence. */
  about: string;
  /** Options that take a value: what `--help` says about each. The placeholder comes first: `<folder> where …`. */
  values?: Record<Value, string>;
  /** Options that take none. */
  flags?: Record<Flag, string>;
  /** What it accepts besides options: `<file> …`. */
  rest?: string;
}

/** What a user typed. */
export interface Given<Value extends string, Flag extends string> {
  values: Partial<Record<Value, string>>;
  flags: Partial<Record<Flag, boolean>>;
  rest: string[];
}

/**
 * Parses the arguments of a command and runs it. Answers `--help` itself. A wrong use is one line on the standard error.
 *
 * @returns the exit code: that of the command, 0 after `--help`, or 2 after a wrong use
 */
export async function withArguments<Value extends string = never, Flag extends string = never>(
  command: CommandLine<Value, Flag>,
  args: string[],
  run: (given: Given<Value, Flag>) => Promise<number>,
): Promise<number> {
  try {
    const given = parse(command, args);
    if (given) return await run(given);
    console.log(describe(command));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}

/** What was given, or `undefined` if it is `--help`. */
function parse<Value extends string, Flag extends string>(
  { line, values, flags, rest }: CommandLine<Value, Flag>,
  args: string[],
): Given<Value, Flag> | undefined {
  const text = Object.keys(values ?? {}).map((name) => [name, { type: 'string' }] as const);
  const switches = Object.keys(flags ?? {}).map((name) => [name, { type: 'boolean' }] as const);
  const options = Object.fromEntries([...text, ...switches, ['help', { type: 'boolean', short: 'h' }] as const]);
  try {
    const { values: found, positionals } = parseArgs({ args, options, allowPositionals: rest !== undefined });
    const given: Record<string, unknown> = found;
    if (given.help === true) return undefined;
    return { values: pick(given, values, isText), flags: pick(given, flags, isFlag), rest: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Drop the rest of Node's message, which suggests what no command takes.
    const [reason] = error.message.split(/[.\n]/);
    throw new UsageError(`${reason}. ${line} --help shows the usage.`);
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

/** The values of these options that were given. */
function pick<Name extends string, Kind>(
  given: Record<string, unknown>,
  options: Record<Name, string> | undefined,
  isKind: (value: unknown) => value is Kind,
): Partial<Record<Name, Kind>> {
  const found: Partial<Record<Name, Kind>> = {};
  for (const name in options) {
    const value = given[name];
    if (isKind(value)) found[name] = value;
  }
  return found;
}

function describe({ line, about, values, flags, rest }: CommandLine<string, string>): string {
  const listed = [
    ...Object.entries(values ?? {}).map(([name, text]) => {
      const [, placeholder = '', meaning = ''] = /^(<.*?>) (.*)$/s.exec(text) ?? [];
      return [`--${name} ${placeholder}`, meaning] as const;
    }),
    ...Object.entries(flags ?? {}).map(([name, text]) => [`--${name}`, text] as const),
    ['-h, --help', 'show this help'] as const,
  ];
  const width = Math.max(...listed.map(([flag]) => flag.length)) + 2;
  const usage = ['Usage:', line, '[options]', rest].filter((part) => part !== undefined).join(' ');
  return [about, '', usage, '', ...listed.map(([flag, text]) => `  ${flag.padEnd(width)}${text}`)].join('\n');
}
