import { isRecord } from '../../shared/is-record.ts';
import type { FileValues } from '../built-in/file-source.ts';
import { formatValues, sortColumns } from '../built-in/format-values.ts';
import { identityOf } from '../built-in/values.ts';
import type { Jobs, UnsentRow } from '../types.ts';
import { noClient } from './environment.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describeCount } from './progress.ts';
import { withJobs } from './session.ts';
import { checkNewFile, writeTable } from './table-file.ts';

/**
 * `carillon-jobs unsent`: writes the rows of a cancelled job of which nothing was sent, as the file of a new job. Resolves to the exit
 * code.
 */
export async function unsent(options: OutputOptions & { rows?: string }, [name = '']: string[]): Promise<number> {
  const { rows: file } = options;
  return withJobs(noClient, async (jobs) => {
    const { definition } = await jobs.status(name);
    if (file === undefined) {
      for await (const { line, key } of jobs.unsent(name)) say(options, { line, key }, `line ${line}: ${key}`);
    } else {
      await checkNewFile(file);
      const count = await writeTable(file, () => unsentRows(jobs, name), sortColumns);
      say(options, { file, rows: count, job: name }, `${file}: ${describeCount(count)} of which nothing was sent.`);
    }
    note(options, `Send them with a new job: carillon-jobs run ${definition} ${file ?? '<file>'} --name <name> …`);
    return 0;
  });
}

async function* unsentRows(jobs: Jobs, name: string): AsyncGenerator<FileValues> {
  for await (const row of jobs.unsent(name)) yield* formatUnsent(row);
}

/** The rows of the file that a row stands for: one for each number of a campaign. */
function formatUnsent({ key, values }: UnsentRow): FileValues[] {
  const { key: _, ...row } = formatValues(values);
  if (isRecord(values) && Array.isArray(values.recipients))
    return values.recipients.map((phone: unknown) => ({ ...row, phones: phone }));
  const isOwnKey =
    row.externalContactId !== undefined ||
    (typeof row.email === 'string' && key.replace(/ \(line \d+\)$/, '') === identityOf(row.email));
  return [isOwnKey ? row : { key, ...row }];
}
