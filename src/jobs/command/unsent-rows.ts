import { isRecord } from '../../shared/is-record.ts';
import type { FileValues } from '../built-in/file-source.ts';
import { formatValues, sortColumns } from '../built-in/format-values.ts';
import { identityOf } from '../built-in/values.ts';
import type { Jobs, UnsentRow } from '../types.ts';
import { note, type OutputOptions, say } from './output.ts';
import { onJobs } from './session.ts';
import { saveRows } from './table-file.ts';

/** `carillon-jobs unsent`: lists the rows of a cancelled job for which nothing was sent, or writes a file for a new job. */
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

/** Returns the file rows that a row represents: one for each phone number in a campaign part. */
function formatUnsent({ key, values }: UnsentRow): FileValues[] {
  const { key: _, ...row } = formatValues(values);
  if (isRecord(values) && Array.isArray(values.recipients))
    return values.recipients.map((phone: unknown) => ({ ...row, phones: phone }));
  const isOwnKey =
    row.externalContactId !== undefined ||
    (typeof row.email === 'string' && key.replace(/ \(line \d+\)$/, '') === identityOf(row.email));
  return [isOwnKey ? row : { key, ...row }];
}
