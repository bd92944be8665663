import type { FileValues } from '../built-in/file-source.ts';
import { formatValues, sortColumns } from '../built-in/format-values.ts';
import type { Jobs, Problem } from '../types.ts';
import { adviceFor, adviceForCancelled, adviceForRepair } from './advice.ts';
import { note, type OutputOptions, say } from './output.ts';
import { onJobs } from './session.ts';
import { saveRows } from './table-file.ts';

/** `carillon-jobs problems`: lists the problems in lines, or writes a repair file. */
export const problems = onJobs(async (jobs, options: OutputOptions & { rows?: string }, [name = '']) => {
  const { rows: file } = options;
  const status = await jobs.status(name);
  const { definition, rows, state, begun = 0 } = status;
  if (file !== undefined) await saveRows(options, file, () => rowsToRepair(jobs, name), sortColumns);
  else {
    for await (const { values: _, ...problem } of jobs.problems(name)) say(options, problem, describeProblem(problem));
    const counts = `${rows.rejected} rejected, ${rows.invalid} invalid, ${rows.unknown} unknown`;
    note(options, begun > 0 ? `${counts}, ${begun} begun` : counts);
  }
  if (state === 'cancelled') note(options, adviceForCancelled(status));
  else if (file !== undefined) note(options, adviceForRepair(file, rows.unknown > 0));
  else if (rows.unknown > 0) note(options, adviceFor(definition));
});

/** Describes a problem in one line, without the values of the row. */
function describeProblem(problem: Omit<Problem, 'values'>): string {
  const { line, key, state, step, reason, code, sentAt, results } = problem;
  const created = typeof results.contact === 'number' ? `, contact ${results.contact}` : '';
  const sent = state === 'unknown' && sentAt ? `, sent ${sentAt.toISOString()}` : '';
  const place = step === undefined ? '' : `, step ${step}`;
  return `line ${line}: ${state} (${key}${place}${created}${sent}): ${reason}${code ? ` [${code}]` : ''}`;
}

async function* rowsToRepair(jobs: Jobs, name: string): AsyncGenerator<FileValues> {
  for await (const { key, line, state, step, reason, values } of jobs.problems(name)) {
    const { key: _, ...row } = formatValues(values);
    // The `externalContactId` identifies a contact that has one.
    const own = row.externalContactId === undefined ? { key } : {};
    yield { ...own, state, line, step: step ?? '', problem: reason, outcome: '', result: '', ...row };
  }
}
