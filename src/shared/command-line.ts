import { Command, CommanderError } from 'commander';

/** The command line cannot be run as it is. The message says what to change. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/**
 * A command that explains itself with `--help`.
 *
 * @param line - as a user types it, without arguments: `npm run bench --`
 * @param about - what it does
 */
export function createCommand(line: string, about: string): Command {
  return new Command(line)
    .description(about)
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp({ helpWidth: 120 });
}

/** For an option that can be given several times. */
export function repeated(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** What a user typed. */
export interface Given<Options> {
  options: Options;
  args: string[];
}

/**
 * Parses arguments. Prints nothing, and runs nothing.
 *
 * @param show - receives the help or the version, if that is asked for
 * @returns `undefined` if that is asked for
 * @throws {@link UsageError} in one line
 */
export function parseCommand<Options extends object>(
  command: Command,
  args: readonly string[],
  show: (text: string) => void = () => undefined,
): Given<Options> | undefined {
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
 * Turns a complaint of commander into sentences.
 *
 * @param line - the command whose help shows the usage
 */
export function explainUsage({ message }: CommanderError, line: string): string {
  const [reason = '', suggestion = ''] = message.replace(/^error: /, '').split('\n');
  const problem = [`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`, suggestion.replace(/^\(|\)$/g, '')];
  const sentences = problem.filter(Boolean).map((text) => (/[.?]$/.test(text) ? text : `${text}.`));
  return `${sentences.join(' ')} ${line} --help shows the usage.`;
}

/**
 * A message behind the name of its command, as `carillon-mcp: There are no credentials.` npm itself names the script of `npm run`.
 *
 * @param line - the command as a user types it, without arguments
 */
export function behindName(line: string, message: string): string {
  return line.startsWith('npm ') ? message : `${line}: ${message}`;
}

/**
 * Parses arguments and runs a command. Prints the help or the version if it is asked for. A wrong use is one line on the standard error.
 *
 * @returns the exit code: that of the run, 0 after `--help` and `--version`, or 2 after a wrong use
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

/** What `--help` prints. */
export function helpOf(command: Command): string {
  return command.helpInformation().trimEnd();
}
