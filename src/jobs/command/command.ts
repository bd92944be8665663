import type { Command } from 'commander';
import { createCommand, type GivenOptions, helpOf, parseCommand, UsageError } from '../../shared/command-line.ts';
import { readVersion } from '../../shared/version.ts';
import { variables } from './environment.ts';
import { describeFailure, failureCodeOf } from './failure.ts';
import { isSubcommand, type SubcommandName, subcommands } from './subcommands.ts';

/**
 * Runs `carillon-jobs`.
 *
 * @param line - name of the command, such as `carillon-jobs`
 * @returns the exit code: 2 after a usage error, 3 without credentials, 4 if the job is paused, 1 after another failure
 */
export async function runJobs(line: string, args: string[]): Promise<number> {
  try {
    const { subcommand, given, help } = parseJobs(line, args);
    if (subcommand && given) {
      const { data, ...options } = given.options;
      // `readPlace` reads the folder from the environment, together with the database address.
      if (data !== undefined) process.env.CARILLON_JOBS_FOLDER = data;
      // Load on demand, so that --help needs no database driver.
      const { actions } = await import('./actions.ts');
      return await actions[subcommand](options, given.args);
    }
    console.log(args[0] === '--version' ? readVersion() : `${help}\n\n${variables}`);
    return 0;
  } catch (error) {
    console.error(describeFailure(line, error, args.includes('--json')));
    return failureCodeOf(error);
  }
}

function withOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON, one document per line')
    .option('--data <folder>', 'folder of the jobs (default .carillon-jobs)');
}

/** Parsed arguments: a subcommand with its options, or help to print. */
interface Parsed {
  subcommand?: SubcommandName;
  given?: GivenOptions<{ data?: string }> | undefined;
  help: string;
}

/** @throws `UsageError` if an argument is invalid */
export function parseJobs(line: string, args: string[]): Parsed {
  const [first = '', ...rest] = args;
  if (isSubcommand(first)) {
    const command = withOptions(subcommands[first](`${line} ${first}`));
    return { subcommand: first, given: parseCommand(command, rest), help: helpOf(command) };
  }
  const program = createCommand(
    line,
    'Runs bulk jobs, stored in a file on this machine or, for many machines, in Postgres. No request is sent twice automatically.',
  ).option('--version', 'show the version');
  for (const [name, usageOf] of Object.entries(subcommands)) program.addCommand(withOptions(usageOf(name)));
  if (args.length === 0) throw new UsageError(`A command is missing. ${line} --help shows the usage.`);
  // Existing subcommands were handled above.
  if (!first.startsWith('-')) throw new UsageError(`Unknown command '${first}'. ${line} --help shows the usage.`);
  parseCommand(
    program.action(() => undefined),
    args,
  );
  return { help: helpOf(program) };
}
