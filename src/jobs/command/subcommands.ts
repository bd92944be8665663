import type { Command } from 'commander';
import { createCommand } from '../../shared/command-line.ts';
import { runCommandOf } from './run-options.ts';

/** Creates the command of each subcommand. */
export const subcommands = {
  run: runCommandOf,
  work: (line) =>
    createCommand(
      line,
      'Works on the jobs until it is stopped. This command can run in any number of terminals or, with a database, on any number of machines.',
    )
      .option('--concurrency <number>', 'maximum number of rows in flight in this process (default 10)')
      .option('--metrics', 'report OpenTelemetry metrics for all jobs; requires an SDK loaded with node --import'),
  status: (line) =>
    createCommand(line, 'Shows the progress of one job or of all jobs.')
      .argument('[name]')
      .option('--watch', 'refresh every second until the job has ended or is paused, or until Ctrl+C'),
  wait: (line) =>
    createCommand(
      line,
      'Waits until a job has ended or is paused. Exits with 0 if all rows are done, 1 if problems remain or the job was cancelled, 4 if the job is paused.',
    ).argument('<name>'),
  workers: (line) => createCommand(line, 'Shows the workers and the number of rows that each worker holds.'),
  pause: (line) =>
    createCommand(
      line,
      'Pauses a job on all machines. Workers may still send rows that they have already claimed.',
    ).argument('<name>'),
  resume: (line) =>
    createCommand(
      line,
      'Resumes a paused job, or ends the back-off of a running job. If the data of the job was reset to an earlier state (by a restore, copy or failover), specify which planned rows may have been sent.',
    )
      .argument('<name>')
      .option('--sent <rows>', "source lines that may have been sent, such as 2-400,512, or 'all' or 'none'"),
  set: (line) =>
    createCommand(line, 'Changes the limits and priority of a job, even while it runs.')
      .argument('<name>')
      .option('--rate <number>', "maximum requests per second on all machines, or 'none'")
      .option('--concurrency <number>', "maximum number of rows in flight across all machines, or 'none'")
      .option('--priority <number>', 'priority over other jobs: jobs with a higher priority go first'),
  cancel: (line) =>
    createCommand(
      line,
      'Cancels a job on all machines. Workers may still send rows that they have already claimed.',
    ).argument('<name>'),
  forget: (line) =>
    createCommand(
      line,
      'Removes personal data: the values, results and reasons of all rows of a job that has ended, or of the row with the given key.',
    )
      .argument('<name>')
      .argument('[key]'),
  remove: (line) =>
    createCommand(
      line,
      'Removes a job that has ended, with all its rows and the record of what was sent. Its name can then be used again.',
    ).argument('<name>'),
  results: (line) =>
    createCommand(line, 'Lists the completed rows with the IDs of the created records.')
      .argument('<name>')
      .option('--rows <file>', 'write the rows to this file (.csv or .ndjson)'),
  problems: (line) =>
    createCommand(
      line,
      'Lists the rows that are rejected or invalid, or whose outcome is not known, with their line numbers.',
    )
      .argument('<name>')
      .option(
        '--rows <file>',
        'write the rows to this file (.csv or .ndjson), to edit them and apply them with run --repair',
      ),
  show: (line) =>
    createCommand(
      line,
      'Shows what happened to rows: their state, step, attempts, time and results, without their values.',
    )
      .argument('<name>')
      .argument('<row>', 'a source line, a key, or an address or phone number in any spelling'),
  retry: (line) =>
    createCommand(line, 'Sends rejected rows again, with the same values.')
      .argument('<name>')
      .argument('<rows>', "source lines or keys, such as 2-400,512,p-7, or 'all'")
      .option('--code <code>', 'only rows that were rejected with this error code'),
  unsent: (line) =>
    createCommand(line, 'Lists the unsent rows of a cancelled job.')
      .argument('<name>')
      .option('--rows <file>', 'write the rows to this file (.csv or .ndjson), to send them with a new job'),
} satisfies Record<string, (line: string) => Command>;

export type SubcommandName = keyof typeof subcommands;

export function isSubcommand(name: string): name is SubcommandName {
  return Object.hasOwn(subcommands, name);
}
