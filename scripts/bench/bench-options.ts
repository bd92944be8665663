import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../spec/files.ts';

/** What is committed, and shown in the docs. */
export const resultsFolder = join(repositoryRoot, 'docs', 'benchmarks');

export interface Options {
  /** Names of parts. */
  only: string[];
  quick: boolean;
  output: string;
  /** The page with the headline; none for figures that are not to be shown. */
  page?: string;
  help: boolean;
}

export const usage = (parts: readonly string[]): string => `Usage: npm run bench [-- options]

  --only <parts>   some of: ${parts.join(',')}; the other results stay as they are
  --report         measures nothing, and makes Markdown, charts and the README's table of the results that there are
  --quick          few and short runs, to see that everything works; the figures mean nothing
  --output <path>  where the results go (docs/benchmarks; with --quick .cache/benchmarks)
  --help           this text`;

/** @throws `Error` with a message for the user */
export function readOptions(args: string[], parts: readonly string[]): Options {
  const { only, quick = false, report = false, output, help = false } = parse(args);
  const chosen = only?.split(',').map((name) => name.trim()) ?? [...parts];
  const unknown = chosen.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new Error(`There is no part '${unknown}'. The parts are: ${parts.join(', ')}`);
  // Figures of short runs must not pass for results.
  const folder = output ?? (quick ? join(repositoryRoot, '.cache', 'benchmarks') : resultsFolder);
  const page = quick || output ? {} : { page: join(repositoryRoot, 'README.md') };
  return { only: report ? [] : chosen, quick, output: folder, ...page, help };
}

interface Given {
  only?: string;
  quick?: boolean;
  report?: boolean;
  output?: string;
  help?: boolean;
}

function parse(args: string[]): Given {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  return parseArgs({ args, options: { only: text, quick: flag, report: flag, output: text, help: flag } }).values;
}
