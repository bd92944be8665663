import type { Command } from 'commander';
import { createCommand, type GivenOptions, helpOf, parseCommand, UsageError } from '../../shared/command-line.ts';
import { readVersion } from '../../shared/version.ts';
import { variables } from './environment.ts';
import { describeFailure, failureCodeOf } from './failure.ts';
import { runCommandOf } from './run-options.ts';

type Run = (options: object, args: string[]) => Promise<number>;

interface Subcommand {
  usage(line: string): Command;
  /** Loads its implementation on demand, so that --help needs no database driver. */
  load(): Promise<Run>;
}

const control = async () => import('./control.ts');

export const subcommands: Record<string, Subcommand> = {
  run: { usage: runCommandOf, load: async () => (await import('./run.ts')).run },
  work: {
    usage: (line) =>
      createCommand(
        line,
        'Works on the jobs until it is stopped. Start it in as many terminals, or with a database on as many machines, as you like.',
      )
        .option('--concurrency <number>', 'rows in flight in this process (default 10)')
        .option('--metrics', 'report OpenTelemetry metrics of all jobs; load an SDK with node --import'),
    load: async () => (await import('./work.ts')).work,
  },
  status: {
    usage: (line) =>
      createCommand(line, 'Shows the progress of a job, or of all.')
        .argument('[name]')
        .option('--watch', 'show it again each second until the job has ended, or Ctrl+C'),
    load: async () => (await control()).status,
  },
  wait: {
    usage: (line) =>
      createCommand(
        line,
        'Waits until a job has ended or is paused. Ends with 0 if all rows are done, 1 if problems are left or it was cancelled, 4 if it is paused.',
      ).argument('<name>'),
    load: async () => (await control()).wait,
  },
  workers: {
    usage: (line) => createCommand(line, 'Shows the workers with the rows that they hold.'),
    load: async () => (await control()).workers,
  },
  pause: {
    usage: (line) =>
      createCommand(line, 'Stops a job on all machines after the rows that are claimed.').argument('<name>'),
    load: async () => (await control()).pause,
  },
  resume: {
    usage: (line) =>
      createCommand(
        line,
        'Continues a job that was paused, and ends the waits of one that runs. If its data went back (a restore, a copy, a failover), say which planned rows may have been sent.',
      )
        .argument('<name>')
        .option('--sent <rows>', 'lines of its source that may have been sent, such as 2-400,512; or all, or none'),
    load: async () => (await control()).resume,
  },
  set: {
    usage: (line) =>
      createCommand(line, 'Changes limits and priority of a job, also while it runs.')
        .argument('<name>')
        .option('--rate <number>', 'requests per second over all machines, or none')
        .option('--concurrency <number>', 'rows in flight on all machines, or none')
        .option('--priority <number>', 'priority over other jobs: higher ones go first'),
    load: async () => (await control()).set,
  },
  cancel: {
    usage: (line) =>
      createCommand(line, 'Ends a job on all machines after the rows that are claimed.').argument('<name>'),
    load: async () => (await control()).cancel,
  },
  forget: {
    usage: (line) =>
      createCommand(
        line,
        'Removes personal data: values, results and reasons of a job that has ended, or of the row with a key.',
      )
        .argument('<name>')
        .argument('[key]'),
    load: async () => (await control()).forget,
  },
  remove: {
    usage: (line) =>
      createCommand(
        line,
        'Removes a job that has ended, with all its rows and the record of what was sent. Its name can then be used again.',
      ).argument('<name>'),
    load: async () => (await control()).remove,
  },
  results: {
    usage: (line) =>
      createCommand(line, 'Lists the completed rows with the IDs of what was created.')
        .argument('<name>')
        .option('--rows <file>', 'write them to this file (.csv or .ndjson)'),
    load: async () => (await import('./results.ts')).results,
  },
  problems: {
    usage: (line) =>
      createCommand(
        line,
        'Lists the rows that are rejected or invalid, or whose outcome is not known, with their lines.',
      )
        .argument('<name>')
        .option('--rows <file>', 'write them to this file (.csv or .ndjson), to correct them and feed them back'),
    load: async () => (await import('./problems.ts')).problems,
  },
  show: {
    usage: (line) =>
      createCommand(
        line,
        'Shows what happened to rows: their state, step, attempts, time and results, without their values.',
      )
        .argument('<name>')
        .argument('<row>', 'a line or key, or an address or number in any spelling'),
    load: async () => (await import('./results.ts')).show,
  },
  retry: {
    usage: (line) =>
      createCommand(line, 'Sends rows again with the same values: those that the service rejected.')
        .argument('<name>')
        .argument('<rows>', 'lines of its source or keys, such as 2-400,512,p-7; or all')
        .option('--code <code>', 'only rows that were rejected with this error code'),
    load: async () => (await control()).retry,
  },
  unsent: {
    usage: (line) =>
      createCommand(line, 'Lists the rows of a cancelled job of which nothing was sent.')
        .argument('<name>')
        .option('--rows <file>', 'write them to this file (.csv or .ndjson), as the file of a new job'),
    load: async () => (await import('./unsent-rows.ts')).unsent,
  },
};

/**
 * Runs `carillon-jobs`.
 *
 * @param line - command line without arguments
 * @returns the exit code: 2 after a usage error, 3 without credentials, 4 if the job is paused, 1 after another failure
 */
export async function runJobs(line: string, args: string[]): Promise<number> {
  try {
    const { subcommand, given, help } = parseJobs(line, args);
    if (subcommand && given) {
      const { data, ...options } = given.options;
      // Read with the address of the database.
      if (data !== undefined) process.env.CARILLON_JOBS_FOLDER = data;
      return await (await subcommand.load())(options, given.args);
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
  subcommand?: Subcommand;
  given?: GivenOptions<{ data?: string }> | undefined;
  help: string;
}

/** @throws `UsageError` if an argument is invalid */
export function parseJobs(line: string, args: string[]): Parsed {
  const [first = '', ...rest] = args;
  const subcommand = Object.hasOwn(subcommands, first) ? subcommands[first] : undefined;
  if (subcommand) {
    const command = withOptions(subcommand.usage(`${line} ${first}`));
    return { subcommand, given: parseCommand(command, rest), help: helpOf(command) };
  }
  const program = createCommand(
    line,
    'Bulk jobs in a file of this machine, or in Postgres for many machines. No request is automatically sent twice.',
  ).option('--version', 'show the version');
  for (const [name, { usage }] of Object.entries(subcommands)) program.addCommand(withOptions(usage(name)));
  if (args.length === 0) throw new UsageError(`A command is missing. ${line} --help shows the usage.`);
  // Existing subcommands were handled above.
  if (!first.startsWith('-')) throw new UsageError(`Unknown command '${first}'. ${line} --help shows the usage.`);
  parseCommand(
    program.action(() => undefined),
    args,
  );
  return { help: helpOf(program) };
}
