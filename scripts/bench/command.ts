import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommand, runCommand, UsageError } from '../../src/shared/command-line.ts';
import { messageOf } from '../../src/shared/message-of.ts';
import { repositoryRoot } from '../spec/files.ts';
import { formatMachine } from './format.ts';
import { fillHeadline } from './headline.ts';
import { type BenchPart, describeMachine, type Results, readResults, resultsFolder, writeResults } from './results.ts';

/** Loaded on demand, because `--help` needs none of them. The report has the same order. */
const parts: Record<string, () => Promise<BenchPart>> = {
  calls: async () => (await import('./parts/calls.ts')).calls,
  sizes: async () => (await import('./parts/sizes.ts')).sizes,
  types: async () => (await import('./parts/types.ts')).types,
  terminal: async () => (await import('./parts/terminal.ts')).terminal,
  servers: async () => (await import('./parts/servers.ts')).servers,
  jobs: async () => (await import('./parts/jobs.ts')).jobs,
};
const names = Object.keys(parts);

interface Flags {
  only?: string;
  output?: string;
  report?: true;
  quick?: true;
}

/** `npm run bench`. Resolves to the exit code. */
export function runBench(args: string[]): Promise<number> {
  const command = createCommand('npm run bench --', 'Measures this project and its alternatives side by side.')
    .option('--only <parts>', `some of: ${names.join(',')}; all other results stay unchanged`)
    .option('--output <folder>', 'folder for the results (default: docs/benchmarks; with --quick: .cache/benchmarks)')
    .option('--report', "rewrites the README's table from the existing results, without new measurements")
    .option('--quick', 'few rounds, to check that everything works; the figures are not meaningful');
  return runCommand<Flags>(command, args, async ({ only, output, quick = false, report = false }) => {
    const chosen = only?.split(',').map((name) => name.trim()) ?? names;
    const unknown = chosen.find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new UsageError(`There is no part '${unknown}'. The parts are: ${names.join(', ')}`);
    // Figures of short runs must not pass for results.
    const folder = output ?? (quick ? join(repositoryRoot, '.cache', 'benchmarks') : resultsFolder);
    if (!report) return (await measure(chosen, folder, quick)) ? 0 : 1;
    publish(readResults(folder), folder);
    return 0;
  });
}

const print = (line: string): void => console.error(line);

/** Measures the parts and writes each one when it is done. Resolves to `true` if all were measured. */
async function measure(chosen: readonly string[], folder: string, quick: boolean): Promise<boolean> {
  const { prepare } = await import('./prepare.ts');
  await prepare(print);
  const machine = describeMachine();
  print(formatMachine(machine));
  let complete = true;
  for (const [name, load] of Object.entries(parts)) {
    if (!chosen.includes(name)) continue;
    const started = performance.now();
    const part = await load();
    try {
      const measured = await part.measure({ quick, report: (line) => print(`  ${line}`) });
      const date = new Date().toISOString().slice(0, 10);
      publish({ ...readResults(folder), [name]: { title: part.title, date, machine, ...measured } }, folder);
      print(`${part.title}: ${Math.round((performance.now() - started) / 1_000)} s`);
    } catch (error) {
      // The other parts continue, so that their measurements are not lost.
      print(`${part.title} was not measured: ${messageOf(error)}`);
      complete = false;
    }
  }
  print(`The results are in ${folder}`);
  return complete;
}

/** Writes the results as JSON, and the headline figures into the README. */
function publish(measured: Results, folder: string): void {
  const results = Object.fromEntries(names.flatMap((name) => (measured[name] ? [[name, measured[name]]] : [])));
  writeResults(folder, results);
  if (folder !== resultsFolder) return;
  const page = join(repositoryRoot, 'README.md');
  writeFileSync(page, fillHeadline(readFileSync(page, 'utf8'), results));
}
