import { isRecord } from '../../shared/is-record.ts';
import type { FileValues } from '../built-in/file-source.ts';
import { formatValues, sortColumns } from '../built-in/format-values.ts';
import { identityOf } from '../built-in/values.ts';
import type { Jobs, UnsentRow } from '../types.ts';
import { note, type OutputOptions, say } from './output.ts';
import { onJobs } from './session.ts';
import { saveRows } from './table-file.ts';

/** `carillon-jobs unsent`: the rows of a cancelled job of which nothing was sent, in lines, or as the file of a new job. */
export const unsent = onJobs(async (jobs, options: OutputOptions & { rows?: string }, [name = '']) => {
  const { rows: file } = options;
  const { definition } = await jobs.status(name);
  if (file !== undefined) await saveRows(options, file, () => unsentRows(jobs, name), sortColumns);
  else for await (const { line, key } of jobs.unsent(name)) say(options, { line, key }, `line ${line}: ${key}`);
  note(options, `Send these rows with a new job: carillon-jobs run ${definition} ${file ?? '<file>'} --name <name> …`);
});

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
