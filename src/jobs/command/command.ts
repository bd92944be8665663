import type { Command } from 'commander';
import { createCommand, type GivenOptions, helpOf, parseCommand, UsageError } from '../../shared/command-line.ts';
import { readVersion } from '../../shared/version.ts';
import { variables } from './environment.ts';
import { describeFailure, failureCodeOf } from './failure.ts';
import { runCommandOf } from './run-options.ts';

type Run = (options: object, args: string[]) => Promise<number>;

interface Subcommand {
  usage(line: string): Command;
  /** Loads the implementation on demand, so that --help needs no database driver. */
  load(): Promise<Run>;
}

const control = async () => import('./control.ts');

export const subcommands: Record<string, Subcommand> = {
  run: { usage: runCommandOf, load: async () => (await import('./run.ts')).run },
  work: {
    usage: (line) =>
      createCommand(
        line,
        'Works on the jobs until it is stopped. This command can run in any number of terminals or, with a database, on any number of machines.',
      )
        .option('--concurrency <number>', 'maximum number of rows in flight in this process (default 10)')
        .option('--metrics', 'report OpenTelemetry metrics for all jobs; requires an SDK loaded with node --import'),
    load: async () => (await import('./work.ts')).work,
  },
  status: {
    usage: (line) =>
      createCommand(line, 'Shows the progress of one job or of all jobs.')
        .argument('[name]')
        .option('--watch', 'refresh every second until the job has ended or is paused, or until Ctrl+C'),
    load: async () => (await control()).status,
  },
  wait: {
    usage: (line) =>
      createCommand(
        line,
        'Waits until a job has ended or is paused. Exits with 0 if all rows are done, 1 if problems remain or the job was cancelled, 4 if the job is paused.',
      ).argument('<name>'),
    load: async () => (await control()).wait,
  },
  workers: {
    usage: (line) => createCommand(line, 'Shows the workers and the number of rows that each worker holds.'),
    load: async () => (await control()).workers,
  },
  pause: {
    usage: (line) =>
      createCommand(
        line,
        'Pauses a job on all machines. Workers may still send rows that they have already claimed.',
      ).argument('<name>'),
    load: async () => (await control()).pause,
  },
  resume: {
    usage: (line) =>
      createCommand(
        line,
        'Resumes a paused job, or ends the back-off of a running job. If the data of the job was reset to an earlier state (by a restore, copy or failover), specify which planned rows may have been sent.',
      )
        .argument('<name>')
        .option('--sent <rows>', "source lines that may have been sent, such as 2-400,512, or 'all' or 'none'"),
    load: async () => (await control()).resume,
  },
  set: {
    usage: (line) =>
      createCommand(line, 'Changes the limits and priority of a job, even while it runs.')
        .argument('<name>')
        .option('--rate <number>', "maximum requests per second on all machines, or 'none'")
        .option('--concurrency <number>', "maximum number of rows in flight across all machines, or 'none'")
        .option('--priority <number>', 'priority over other jobs: jobs with a higher priority go first'),
    load: async () => (await control()).set,
  },
  cancel: {
    usage: (line) =>
      createCommand(
        line,
        'Cancels a job on all machines. Workers may still send rows that they have already claimed.',
      ).argument('<name>'),
    load: async () => (await control()).cancel,
  },
  forget: {
    usage: (line) =>
      createCommand(
        line,
        'Removes personal data: the values, results and reasons of all rows of a job that has ended, or of the row with the given key.',
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
      createCommand(line, 'Lists the completed rows with the IDs of the created records.')
        .argument('<name>')
        .option('--rows <file>', 'write the rows to this file (.csv or .ndjson)'),
    load: async () => (await import('./results.ts')).results,
  },
  problems: {
    usage: (line) =>
      createCommand(
        line,
        'Lists the rows that are rejected or invalid, or whose outcome is not known, with their line numbers.',
      )
        .argument('<name>')
        .option(
          '--rows <file>',
          'write the rows to this file (.csv or .ndjson), to edit them and apply them with run --repair',
        ),
    load: async () => (await import('./problems.ts')).problems,
  },
  show: {
    usage: (line) =>
      createCommand(
        line,
        'Shows what happened to rows: their state, step, attempts, time and results, without their values.',
      )
        .argument('<name>')
        .argument('<row>', 'a source line, a key, or an address or phone number in any spelling'),
    load: async () => (await import('./results.ts')).show,
  },
  retry: {
    usage: (line) =>
      createCommand(line, 'Sends rejected rows again, with the same values.')
        .argument('<name>')
        .argument('<rows>', "source lines or keys, such as 2-400,512,p-7, or 'all'")
        .option('--code <code>', 'only rows that were rejected with this error code'),
    load: async () => (await control()).retry,
  },
  unsent: {
    usage: (line) =>
      createCommand(line, 'Lists the unsent rows of a cancelled job.')
        .argument('<name>')
        .option('--rows <file>', 'write the rows to this file (.csv or .ndjson), to send them with a new job'),
    load: async () => (await import('./unsent-rows.ts')).unsent,
  },
};

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
    'Runs bulk jobs, stored in a file on this machine or, for many machines, in Postgres. No request is sent twice automatically.',
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
