import { parseArgs } from 'node:util';
import { UsageError } from '../../shared/server/options.ts';

/** An option of a command. */
interface Option {
  /** Placeholder of its value; a flag has none. */
  value?: string;
  /** May be given several times. */
  multiple?: boolean;
  /** What `--help` says. */
  text: string;
}

/** How one command is called. */
export interface Usage<Name extends string = string> {
  /** What it does, in one sentence. */
  about: string;
  /** Arguments, in order: `<name>` is required, `[name]` is not. */
  positionals: readonly string[];
  options: Record<Name, Option>;
}

/** What a user typed. */
export interface Given<Name extends string> {
  positionals: string[];
  /** Value of an option. */
  text(name: Name): string | undefined;
  texts(name: Name): string[];
  isSet(name: Name): boolean;
}

/**
 * Parses the arguments of one command.
 *
 * @param line - the command as a user types it, such as `carillon-jobs run`
 * @returns `undefined` for `--help`
 * @throws `UsageError` in one sentence
 */
export function parseUsage<Name extends string>(
  line: string,
  usage: Usage<Name>,
  args: string[],
): Given<Name> | undefined {
  const entries = Object.entries<Option>(usage.options).map(
    ([name, { value, multiple = false }]) => [name, { type: value ? 'string' : 'boolean', multiple }] as const,
  );
  const { values, positionals } = parse(line, args, Object.fromEntries(entries));
  if (values.help === true) return undefined;
  const required = usage.positionals.filter((name) => name.startsWith('<'));
  const missing = required[positionals.length];
  if (missing) throw new UsageError(`${missing} is missing. ${line} --help shows the usage.`);
  const extra = positionals[usage.positionals.length];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'. ${line} --help shows the usage.`);
  const textsOf = (name: Name): string[] => [values[name]].flat().filter((value) => typeof value === 'string');
  return {
    positionals,
    text: (name) => textsOf(name).at(-1),
    texts: textsOf,
    isSet: (name) => values[name] === true,
  };
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

function parse(
  line: string,
  args: string[],
  options: Record<string, { type: 'string' | 'boolean'; multiple: boolean }>,
): { values: Values; positionals: string[] } {
  try {
    const help = { type: 'boolean', short: 'h' } as const;
    return parseArgs({ args, options: { ...options, help }, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Drop the rest of Node's message, which suggests what no command takes.
    const [reason] = error.message.split(/[.\n]/);
    throw new UsageError(`${reason}. ${line} --help shows the usage.`);
  }
}

/** What `--help` prints about one command. */
export function describeUsage(line: string, { about, positionals, options }: Usage): string {
  const listed = Object.entries(options).map(
    ([name, { value, text }]) => [`--${name}${value ? ` <${value}>` : ''}`, text] as const,
  );
  const all = [...listed, ['-h, --help', 'show this help'] as const];
  const width = Math.max(...all.map(([flag]) => flag.length)) + 2;
  const lines = all.map(([flag, text]) => `  ${flag.padEnd(width)}${text}`);
  return [about, '', `Usage: ${[line, ...positionals].join(' ')} [options]`, '', ...lines].join('\n');
}

/** A number above 0 from an option. */
export function positive(text: string | undefined, option: string, whole = true): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (number > 0 && Number.isFinite(number) && (!whole || Number.isSafeInteger(number))) return number;
  throw new UsageError(`--${option} must be a ${whole ? 'whole ' : ''}number above 0, not '${text}'.`);
}
