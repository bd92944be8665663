import { createClient } from '../../client.ts';
import type { ClientOptions } from '../../core/options.ts';
import { JobsError } from '../../jobs/jobs-error.ts';
import { readRows } from '../../jobs/sources/read-rows.ts';
import type { Jobs, Json } from '../../jobs/types.ts';
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
  const { refused, decisions, undecided } = await readFeedback(file);
  // All or none; then the decisions, which can be fed back again.
  const repaired = refused > 0 ? await jobs.repair(name, repair(file, createClient(client))) : 0;
  for (const { key, outcome, result } of decisions) await jobs.decide(name, key, { outcome, result });
  return `${file}: ${repaired} rows are planned again, ${decisions.length} unknown rows are decided, ${undecided} are not.`;
}

async function readFeedback(file: string): Promise<{ refused: number; decisions: Found[]; undecided: number }> {
  const decisions: Found[] = [];
  let refused = 0;
  let undecided = 0;
  for await (const { line, values } of readRows(file)) {
    const { key, state, outcome, result } = values;
    if (state !== 'unknown') refused += 1;
    else if (outcome === undefined || outcome === '') undecided += 1;
    else if (typeof key !== 'string') throw new JobsError(`${file}, line ${line}: the row needs a key.`);
    else if (outcome === 'done' || outcome === 'not done') decisions.push({ key, outcome, result: resultOf(result) });
    else throw new JobsError(`${file}, line ${line}: the outcome must be done or not done, or empty.`);
  }
  return { refused, decisions, undecided };
}

/** The ID of what was created. In a CSV file, a number is text. */
function resultOf(result: unknown): Json {
  if (typeof result === 'number') return result;
  if (typeof result !== 'string' || result === '') return null;
  return /^\d{1,15}$/.test(result) ? Number(result) : result;
}
