import type { FileValues } from '../built-in/file-source.ts';
import { columnsOfStep, formatValues, sortColumns } from '../built-in/format-values.ts';
import type { Jobs, Problem } from '../types.ts';
import { adviceFor, adviceForCancelled } from './advice.ts';
import { noClient } from './environment.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describeCount } from './progress.ts';
import { withJobs } from './session.ts';
import { checkNewFile, writeTable } from './table-file.ts';

interface ProblemsOptions extends OutputOptions {
  /** File to write. */
  rows?: string;
  /** Only rows in this state. */
  state?: Problem['state'];
}

/** `carillon-jobs unknown`: the problems whose outcome is unknown. Resolves to the exit code. */
export async function unknown(options: OutputOptions & { rows?: string }, args: string[]): Promise<number> {
  return problems({ ...options, state: 'unknown' }, args);
}

/** `carillon-jobs problems`. Resolves to the exit code. */
export async function problems(options: ProblemsOptions, [name = '']: string[]): Promise<number> {
  const { rows: file, state: only } = options;
  return withJobs(noClient, async (jobs) => {
    const status = await jobs.status(name);
    const { definition, rows, state, begun = 0 } = status;
    if (file !== undefined) {
      await checkNewFile(file);
      const count = await writeTable(file, () => rowsToRepair(jobs, name, only), sortColumns);
      say(options, { file, rows: count }, `${file}: ${describeCount(count)}.`);
      if (state === 'cancelled') {
        note(options, adviceForCancelled(status));
        return 0;
      }
      note(options, 'Correct them, or delete those that should stay as they are.');
      note(options, `Then run the job again with --repair ${file}.`);
      if (rows.unknown > 0) {
        note(
          options,
          'For each unknown row, write done or not done under outcome, and the ID of what exists under result.',
        );
      }
      return 0;
    }
    for await (const { values, ...problem } of jobs.problems(name)) {
      if (only === undefined || problem.state === only) say(options, problem, describeProblem({ values, ...problem }));
    }
    const counts = { rejected: rows.rejected, invalid: rows.invalid, unknown: rows.unknown, begun };
    const shown = Object.entries(counts).filter(([each, count]) =>
      only === undefined ? each !== 'begun' || count > 0 : each === only,
    );
    note(options, shown.map(([each, count]) => `${count} ${each}`).join(', '));
    if (state === 'cancelled') note(options, adviceForCancelled(status));
    else if (rows.unknown > 0) note(options, adviceFor(definition));
    return 0;
  });
}

/** A problem in one line, without the content of the row. */
function describeProblem({ line, key, state, step, reason, code, sentAt, results, values }: Problem): string {
  const created = typeof results.contact === 'number' ? `, contact ${results.contact}` : '';
  const sent = state === 'unknown' && sentAt ? `, sent ${sentAt.toISOString()}` : '';
  const place = step === undefined ? '' : `, step ${step}`;
  const columns = columnsOfStep(step, values);
  const column = columns.length > 0 ? `${columns.join(', ')}: ` : '';
  return `line ${line}: ${state} (${key}${place}${created}${sent}): ${column}${reason}${code ? ` [${code}]` : ''}`;
}

async function* rowsToRepair(jobs: Jobs, name: string, only?: Problem['state']): AsyncGenerator<FileValues> {
  for await (const { key, line, state, step, reason, values } of jobs.problems(name)) {
    if (only !== undefined && state !== only) continue;
    const { key: _, ...row } = formatValues(values);
    // A contact with an `externalContactId` is identified by it.
    const own = row.externalContactId === undefined ? { key } : {};
    const columns = columnsOfStep(step, values);
    const problem = columns.length > 0 ? `${columns.join(', ')}: ${reason}` : reason;
    yield { ...own, state, line, step: step ?? '', problem, outcome: '', result: '', ...row };
  }
}
