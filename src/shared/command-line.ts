import { Command, CommanderError } from 'commander';

/** The command line is invalid. The message says what to change. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/**
 * Creates a command with `--help`.
 *
 * @param line - command line without arguments, such as `npm run bench --`
 * @param about - description of the command
 */
export function createCommand(line: string, about: string): Command {
  return new Command(line)
    .description(about)
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ helpWidth: 120 });
}

/** Collects the values of an option that can be repeated. */
export function repeated(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** Permitted values of a numeric option. */
export interface NumberRange {
  /** Description of the value, such as `number of seconds`. */
  kind?: string;
  whole?: boolean;
  min?: number;
  max?: number;
  /** Exclusive minimum. */
  above?: number;
}

/**
 * Reads a number option.
 *
 * @param option - name of the option, without dashes
 * @throws {@link UsageError} that states the permitted values
 */
export function readNumber(
  text: string,
  option: string,
  { kind = 'number', whole = false, min, max, above }: NumberRange = {},
): number {
  const value = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const isInRange = value >= (min ?? value) && value <= (max ?? value) && (above === undefined || value > above);
  if (isInRange && Number.isFinite(value) && (!whole || Number.isSafeInteger(value))) return value;
  const range = [
    above !== undefined && ` above ${above}`,
    min !== undefined && (max === undefined ? ` of at least ${min}` : ` from ${min}`),
    max !== undefined && ` to ${max}`,
  ];
  const permitted = `${whole ? 'whole ' : ''}${kind}${range.filter(Boolean).join('')}`;
  throw new UsageError(`--${option} must be a ${permitted}, not '${text}'.`);
}

/** Parsed options and arguments. */
export interface GivenOptions<Options> {
  options: Options;
  args: string[];
}

/**
 * Parses arguments, but prints and runs nothing.
 *
 * @param show - receives the help or the version on `--help` or `--version`
 * @returns `undefined` on `--help` or `--version`
 * @throws {@link UsageError} with a message on one line
 */
export function parseCommand<Options extends object>(
  command: Command,
  args: readonly string[],
  show: (text: string) => void = () => undefined,
): GivenOptions<Options> | undefined {
  command.exitOverride().configureOutput({ writeOut: (text) => show(text.trimEnd()), writeErr: () => undefined });
  try {
    command.parse(args, { from: 'user' });
    return { options: command.opts<Options>(), args: command.args };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.helpDisplayed' || error.code === 'commander.version') return undefined;
    throw new UsageError(explainUsage(error, command.name()));
  }
}

/**
 * Converts an error from commander to sentences.
 *
 * @param line - command whose `--help` shows the usage
 */
export function explainUsage({ message }: CommanderError, line: string): string {
  const [reason = '', suggestion = ''] = message.replace(/^error: /, '').split('\n');
  const problem = [`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`, suggestion.replace(/^\(|\)$/g, '')];
  const sentences = problem.filter(Boolean).map((text) => (/[.?]$/.test(text) ? text : `${text}.`));
  return `${sentences.join(' ')} ${line} --help shows the usage.`;
}

/**
 * Prefixes a message with the name of its command, as in `carillon-mcp: There are no credentials.` Omits the prefix for `npm
 * run`, because npm prints the name of the script.
 *
 * @param line - command line without arguments
 */
export function behindName(line: string, message: string): string {
  return line.startsWith('npm ') ? message : `${line}: ${message}`;
}

/**
 * Parses arguments and runs a command. Prints the help or the version on `--help` or `--version`, and a usage error as a single
 * line on standard error.
 *
 * @returns the exit code of the run, 0 after `--help` and `--version`, or 2 after a usage error
 */
export async function runCommand<Options extends object>(
  command: Command,
  args: readonly string[],
  run: (options: Options, args: string[]) => Promise<number>,
): Promise<number> {
  try {
    const given = parseCommand<Options>(command, args, console.log);
    return given ? await run(given.options, given.args) : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(behindName(command.name(), error.message));
    return 2;
  }
}

/** Output of `--help`. */
export function helpOf(command: Command): string {
  return command.helpInformation().trimEnd();
}
