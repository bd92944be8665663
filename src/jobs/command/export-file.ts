import { access } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { FileValues } from '../built-in/file-source.ts';
import { formatRecord } from '../built-in/format-record.ts';
import { JobsError } from '../jobs-error.ts';
import type { JobStatus, Jobs } from '../types.ts';
import { note, type OutputOptions, say } from './output.ts';
import { describeCount } from './progress.ts';
import { writeTable } from './table-file.ts';

/**
 * Refuses to overwrite the file of a finished export, whose records are from the day on which it ended.
 *
 * @throws `JobsError` if the file exists
 */
export async function refuseOldExport(
  { name, state, endedAt }: JobStatus,
  file: string,
  options: OutputOptions,
): Promise<void> {
  if (state !== 'finished') return;
  const day = (endedAt ?? new Date()).toISOString();
  const isWritten = await access(file).then(
    () => true,
    () => false,
  );
  const other = `${basename(file, extname(file))}-${new Date().toISOString().slice(0, 10)}`;
  const advice = `For a new export, give it a name of its own: --name ${other}.`;
  if (isWritten) {
    throw new JobsError(
      `The export ${name} ended at ${day}, and ${file} exists. ${advice} To write the old records again, remove the file first.`,
    );
  }
  note(options, `${name}: these are the records of ${day}. ${advice}`);
}

/**
 * Writes the records of an export, and a list of missing ones if there are any.
 *
 * @param step - step whose result is the record
 * @returns the exit code, 1 if records are missing
 */
export async function writeExport(
  jobs: Jobs,
  name: string,
  step: string,
  file: string,
  options: OutputOptions,
): Promise<number> {
  const isCsv = extname(file).toLowerCase() === '.csv';
  async function* records(): AsyncGenerator<FileValues> {
    for await (const { results } of jobs.results(name)) yield formatRecord(results, step, isCsv);
  }
  const count = await writeTable(file, records);
  say(options, { file, rows: count }, `${file}: ${count.toLocaleString('en')} ${count === 1 ? 'record' : 'records'}`);
  async function* missing(): AsyncGenerator<FileValues> {
    for await (const { key, reason } of jobs.problems(name)) yield { id: Number(key), reason };
  }
  const list = `${file.slice(0, -extname(file).length)}.missing.ndjson`;
  for await (const _ of missing()) {
    const lacking = await writeTable(list, missing);
    say(
      options,
      { file: list, rows: lacking },
      `Not complete: ${list} lists what is missing (${describeCount(lacking)}).`,
    );
    return 1;
  }
  return 0;
}
