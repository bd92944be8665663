import { extname } from 'node:path';
import type { Row } from '../../jobs/ready/file-source.ts';
import { formatRecord } from '../../jobs/ready/format-record.ts';
import type { Jobs } from '../../jobs/types.ts';
import { writeTable } from './table-file.ts';

/**
 * Writes what an export has read, and a list of what is missing, if anything is.
 *
 * @param step - step whose result is the record
 * @returns the exit code: 1 if something is missing
 */
export async function writeExport(jobs: Jobs, name: string, step: string, file: string): Promise<number> {
  const isCsv = extname(file).toLowerCase() === '.csv';
  async function* records(): AsyncGenerator<Row> {
    for await (const { results } of jobs.results(name)) yield formatRecord(results, step, isCsv);
  }
  const count = await writeTable(file, records);
  console.log(`${file}: ${count.toLocaleString('en')} records`);
  async function* missing(): AsyncGenerator<Row> {
    for await (const { key, reason } of jobs.problems(name)) yield { id: Number(key), reason };
  }
  const list = `${file.slice(0, -extname(file).length)}.missing.ndjson`;
  for await (const _ of missing()) {
    console.log(`Not complete: ${list} lists the ${await writeTable(list, missing)} records that are missing.`);
    return 1;
  }
  return 0;
}
