import type { Row } from '../ready/file-source.ts';
import { columnsOfStep, formatValues, sortColumns } from '../ready/format-values.ts';
import type { Jobs, Problem } from '../types.ts';
import { adviceFor, adviceForCancelled } from './advice.ts';
import { noClient } from './environment.ts';
import { describeCount } from './progress.ts';
import { withJobs } from './session.ts';
import { checkNewFile, writeTable } from './table-file.ts';

/** `carillon-jobs problems`. Resolves to the exit code. */
export async function problems({ rows: file }: { rows?: string }, [name = '']: string[]): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    const status = await jobs.status(name);
    const { definition, rows, state, begun = 0 } = status;
    if (file !== undefined) {
      await checkNewFile(file);
      const count = await writeTable(file, () => rowsToRepair(jobs, name), sortColumns);
      console.log(`${file}: ${describeCount(count)}.`);
      if (state === 'cancelled') {
        console.log(adviceForCancelled(status));
        return 0;
      }
      console.log('Correct them, or delete those that should stay as they are.');
      console.log(`Then run the job again with --repair ${file}.`);
      if (rows.unknown > 0) {
        console.log(
          'For each unknown row, write done or not done under outcome, and the ID of what exists under result.',
        );
      }
      return 0;
    }
    for await (const problem of jobs.problems(name)) console.log(describeProblem(problem));
    console.log(`${rows.refused} refused, ${rows.unknown} unknown${begun > 0 ? `, ${begun} begun` : ''}`);
    if (state === 'cancelled') console.log(adviceForCancelled(status));
    else if (rows.unknown > 0) console.log(adviceFor(definition));
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

async function* rowsToRepair(jobs: Jobs, name: string): AsyncGenerator<Row> {
  for await (const { key, line, state, step, reason, values } of jobs.problems(name)) {
    const { key: _, ...row } = formatValues(values);
    // A contact with an `externalContactId` is identified by it.
    const own = row.externalContactId === undefined ? { key } : {};
    const columns = columnsOfStep(step, values);
    const problem = columns.length > 0 ? `${columns.join(', ')}: ${reason}` : reason;
    yield { ...own, state, line, step: step ?? '', problem, outcome: '', result: '', ...row };
  }
}
