import type { FileValues } from '../built-in/file-source.ts';
import type { JobRowDetails, Json } from '../types.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describeCount } from './progress.ts';
import { onJobs } from './session.ts';
import { saveRows } from './table-file.ts';

/** `carillon-jobs results`: lists the completed rows with the results of their steps, or writes them to a file. */
export const results = onJobs(async (jobs, options: OutputOptions & { rows?: string }, [name = '']) => {
  await jobs.status(name);
  if (options.rows !== undefined) {
    return saveRows(options, options.rows, async function* (): AsyncGenerator<FileValues> {
      for await (const { results: found, ...row } of jobs.results(name))
        yield { ...row, ...Object.fromEntries(inOrder(found)) };
    });
  }
  let count = 0;
  for await (const { key, line, results: found } of jobs.results(name)) {
    const shown = describeResults(found);
    say(options, { key, line, results: found }, `line ${line}: ${key}${shown && `: ${shown}`}`);
    count += 1;
  }
  note(options, `${describeCount(count)} done`);
});

/** Describes the results of a row in one line, such as `contact 7, phone 1 12`. */
function describeResults(results: Readonly<Record<string, Json>>): string {
  return inOrder(results)
    .map(([step, result]) => `${step} ${typeof result === 'object' ? JSON.stringify(result) : result}`)
    .join(', ');
}

/** Sorts the results by the name of their step. Omits `null`. */
function inOrder(results: Readonly<Record<string, Json>>): [string, Json][] {
  const found = Object.entries(results).filter(([, result]) => result !== null);
  return found.toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
}

/** `carillon-jobs show`: shows what happened to rows. */
export const show = onJobs(async (jobs, options, [name = '', row = '']) => {
  for (const found of await jobs.show(name, row)) say(options, found, describeRow(name, found));
});

/** Describes a row in lines, without its values. */
function describeRow(name: string, row: JobRowDetails): string {
  const { line, key, state, step, reason, code, attempt, sentAt, endedAt, marker, results } = row;
  const facts: [string, string | undefined][] = [
    ['step', step],
    ['reason', reason && `${reason}${code ? ` [${code}]` : ''}`],
    ['attempts', attempt === 0 ? 'none' : String(attempt)],
    ['last sent', sentAt?.toISOString()],
    ['ended', endedAt?.toISOString()],
    ['marker', state === 'unknown' ? marker : undefined],
    ['results', describeResults(results)],
  ];
  const lines = facts.flatMap(([label, text]) => (text ? [`  ${label}: ${text}`] : []));
  return [`${name}, line ${line} (${key}): ${state}`, ...lines].join('\n');
}
