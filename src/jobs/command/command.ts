import { isCarillonError } from 'carillon';
import { UsageError } from '../../shared/server/options.ts';
import { readVersion } from '../../shared/version.ts';
import { JobsError } from '../jobs-error.ts';
import { describeUsage, type Given, parseUsage, type Usage } from './arguments.ts';
import { SettingsError, variables } from './environment.ts';
import { runUsage } from './run-usage.ts';

type Load = () => Promise<(given: Given<string>) => Promise<number>>;

/** One command: how it is called, and what it does. It is loaded on demand, so that --help needs no database driver. */
interface Command {
  usage: Usage;
  load: Load;
}

const name = ['<name>'];
const control = async () => import('./control.ts');

const commands: Record<string, Command> = {
  run: { usage: runUsage, load: async () => (await import('./run.ts')).run },
  work: {
    usage: {
      about: 'Works on the jobs of the database until it is stopped. Start it on as many machines as you like.',
      positionals: [],
      options: { concurrency: { value: 'number', text: 'rows in flight in this process (default 10)' } },
    },
    load: async () => (await import('./work.ts')).work,
  },
  status: {
    usage: { about: 'Shows the progress of a job, or of all.', positionals: ['[name]'], options: {} },
    load: async () => (await control()).status,
  },
  pause: {
    usage: { about: 'Stops a job on all machines after the requests in flight.', positionals: name, options: {} },
    load: async () => (await control()).change('pause'),
  },
  resume: {
    usage: { about: 'Continues a job that was paused.', positionals: name, options: {} },
    load: async () => (await control()).change('resume'),
  },
  cancel: {
    usage: { about: 'Ends a job on all machines after the requests in flight.', positionals: name, options: {} },
    load: async () => (await control()).change('cancel'),
  },
  forget: {
    usage: {
      about: 'Removes personal data: values, results and reasons of a job that has ended, or of the row with a key.',
      positionals: ['<name>', '[key]'],
      options: {},
    },
    load: async () => (await control()).forget,
  },
  remove: {
    usage: {
      about: 'Removes a job that has ended, with all its rows. Then its name is free, and nothing says what was sent.',
      positionals: name,
      options: {},
    },
    load: async () => (await control()).remove,
  },
  problems: {
    usage: {
      about: 'Lists the rows that were refused, or whose outcome is not known, with their lines.',
      positionals: name,
      options: {
        rows: { value: 'file', text: 'write them to this file (.csv or .ndjson), to correct them and feed them back' },
      },
    },
    load: async () => (await import('./problems.ts')).problems,
  },
};

/**
 * Runs `carillon-jobs`.
 *
 * @param line - the command as a user types it, without arguments
 * @returns the exit code: 2 after a wrong use, 3 without credentials or a database, 1 after a failure
 */
export async function runJobs(line: string, args: string[]): Promise<number> {
  try {
    const { command, given } = parseJobs(line, args);
    if (args[0] === '--version') {
      console.log(readVersion());
      return 0;
    }
    if (!command) return withoutCommand(line, args);
    if (given) return await (await command.load())(given);
    console.log(`${describeUsage(`${line} ${args[0]}`, command.usage)}\n\n${variables}`);
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isCarillonError(error, 'ConfigError')) {
      // The address has no option beside the variable.
      console.error(reason.replace(/^baseUrl/, 'CARILLON_BASE_URL').replace(/, or set allowInsecureHttp: true$/, ''));
      return 3;
    }
    const isExpected = error instanceof UsageError || error instanceof JobsError;
    console.error(isExpected ? reason : `carillon-jobs failed: ${reason}`);
    if (error instanceof SettingsError) return 3;
    return error instanceof UsageError ? 2 : 1;
  }
}

/**
 * Finds the command that the first argument names, and parses the others. Nothing is given with --help.
 *
 * @throws `UsageError` if an argument is wrong
 */
export function parseJobs(line: string, [first = '', ...rest]: string[]): { command?: Command; given?: Given<string> } {
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (!command) return {};
  const given = parseUsage(`${line} ${first}`, command.usage, rest);
  return { command, ...(given && { given }) };
}

function withoutCommand(line: string, args: string[]): number {
  const own = { about: '', positionals: ['<command>'], options: {} };
  // Only --help and options are looked at: the command is missing or unknown.
  const options = args.filter((arg) => arg.startsWith('-'));
  if (parseUsage(line, { ...own, positionals: [] }, options) && args.length === 0) {
    throw new UsageError(`A command is missing. ${line} --help shows the usage.`);
  }
  if (options.length === 0) throw new UsageError(`Unknown command '${args[0]}'. ${line} --help shows the usage.`);
  const width = '-h, --help'.length + 2;
  const listed = Object.entries(commands).map(
    ([key, { usage }]) => `  ${key.padEnd(width)}${usage.about.split('\n')[0]}`,
  );
  console.log(`Bulk work on Postgres that many machines share, and that never sends twice on its own.

Usage: ${line} [options] <command>

${listed.join('\n')}

  ${'-h, --help'.padEnd(width)}show this help; after a command, its options
  ${'--version'.padEnd(width)}show the version

${variables}`);
  return 0;
}
