import { type ClientOptions, createClient } from 'carillon';
import { JobsError } from '../jobs-error.ts';
import { readRows } from '../sources/read-rows.ts';
import type { Jobs, Json } from '../types.ts';
import type { Chosen } from './kinds.ts';

/** What a person found out about an unknown row. */
interface Found {
  key: string;
  outcome: 'done' | 'not done';
  result: Json;
}

/** Feeds back a file of rows to repair: corrected rows, and decisions about unknown ones. Returns a line for the user. */
export async function feedBack(
  jobs: Jobs,
  name: string,
  file: string,
  repair: NonNullable<Chosen['repair']>,
  client: ClientOptions,
): Promise<string> {
  const counts = { refused: 0, decided: 0, undecided: 0 };
  // The file is read twice, so that a mistake in its last line is found before the first decision, and memory stays flat.
  for await (const found of readFeedback(file)) counts[typeof found === 'object' ? 'decided' : found] += 1;
  // All or none; then the decisions, which can be fed back again.
  const repaired = counts.refused > 0 ? await jobs.repair(name, repair(file, createClient(client))) : 0;
  for await (const found of readFeedback(file)) {
    if (typeof found === 'object') await jobs.decide(name, found.key, found);
  }
  return `${file}: ${repaired} rows are planned again, ${counts.decided} unknown rows are decided, ${counts.undecided} are not.`;
}

async function* readFeedback(file: string): AsyncGenerator<Found | 'refused' | 'undecided'> {
  for await (const { line, values } of readRows(file)) {
    const { key, state, outcome, result } = values;
    if (state !== 'unknown') yield 'refused';
    else if (outcome === undefined || outcome === '') yield 'undecided';
    else if (typeof key !== 'string') throw new JobsError(`${file}, line ${line}: the row needs a key.`);
    else if (outcome === 'done' || outcome === 'not done') yield { key, outcome, result: resultOf(result) };
    else throw new JobsError(`${file}, line ${line}: the outcome must be done or not done, or empty.`);
  }
}

/** The ID of what was created. In a CSV file, a number is text. */
function resultOf(result: unknown): Json {
  if (typeof result === 'number') return result;
  if (typeof result !== 'string' || result === '') return null;
  return /^\d{1,15}$/.test(result) ? Number(result) : result;
}
