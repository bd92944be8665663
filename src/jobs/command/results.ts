import type { FileValues } from '../built-in/file-source.ts';
import type { Json } from '../types.ts';
import { noClient } from './environment.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describeCount } from './progress.ts';
import { withJobs } from './session.ts';
import { checkNewFile, writeTable } from './table-file.ts';

/** `carillon-jobs results`: the completed rows with the results of their steps, in lines or in a file. Resolves to the exit code. */
export async function results(options: OutputOptions & { rows?: string }, [name = '']: string[]): Promise<number> {
  const { rows: file } = options;
  return withJobs(noClient, async (jobs) => {
    await jobs.status(name);
    async function* completed(): AsyncGenerator<FileValues> {
      for await (const { results: found, ...row } of jobs.results(name))
        yield { ...row, ...Object.fromEntries(inOrder(found)) };
    }
    if (file !== undefined) {
      await checkNewFile(file);
      const written = await writeTable(file, completed);
      say(options, { file, rows: written }, `${file}: ${describeCount(written)}.`);
      return 0;
    }
    let count = 0;
    for await (const { key, line, results: found } of jobs.results(name)) {
      const shown = describeResults(found);
      say(options, { key, line, results: found }, `line ${line}: ${key}${shown && `: ${shown}`}`);
      count += 1;
    }
    note(options, `${describeCount(count)} done`);
    return 0;
  });
}

/** The results of a row in one line, such as `contact 7, phone 1 12`. */
export function describeResults(results: Readonly<Record<string, Json>>): string {
  return inOrder(results)
    .map(([step, result]) => `${step} ${typeof result === 'object' ? JSON.stringify(result) : result}`)
    .join(', ');
}

/** Sorts the results by the name of their step. Omits `null`. */
function inOrder(results: Readonly<Record<string, Json>>): [string, Json][] {
  const found = Object.entries(results).filter(([, result]) => result !== null);
  return found.toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
}
