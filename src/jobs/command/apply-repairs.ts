import { type ClientOptions, createClient } from 'carillon';
import { JobsError } from '../jobs-error.ts';
import { readRows } from '../sources/read-rows.ts';
import type { Decision, Jobs, Json } from '../types.ts';
import type { ChosenJob } from './kinds.ts';
import { be } from './plan-text.ts';

/** Applies a repair file, with corrected rows and decisions about unknown rows. Returns a line for the user. */
export async function applyRepairs(
  jobs: Jobs,
  name: string,
  file: string,
  repair: NonNullable<ChosenJob['repair']>,
  client: ClientOptions,
): Promise<string> {
  const counts = { corrected: 0, undecided: 0, done: 0, 'not done': 0 };
  const decisions: (Decision & { key: string })[] = [];
  // Read the whole file first, so that a mistake on the last line is found before the first decision.
  for await (const { line, values } of readRows(file)) {
    const { key, state, outcome, result } = values;
    if (state !== 'unknown') counts.corrected += 1;
    else if (outcome === undefined || outcome === '') counts.undecided += 1;
    else if (typeof key !== 'string') throw new JobsError(`${file}, line ${line}: the row needs a key.`);
    else if (outcome === 'done' || outcome === 'not done') decisions.push({ key, outcome, result: resultOf(result) });
    else throw new JobsError(`${file}, line ${line}: the outcome must be 'done', 'not done' or empty.`);
  }
  // Apply the repairs first, in one transaction, then the decisions, which can be applied again after a failure.
  if (counts.corrected > 0) counts.corrected = await jobs.repair(name, repair(file, createClient(client)));
  for (const { key, ...decision } of decisions) {
    await jobs.decide(name, key, decision);
    counts[decision.outcome] += 1;
  }
  return describeRepairs(file, counts);
}

/** Describes what happens to the rows of a repair file: `1 is sent again, 11 are done`. */
export function describeRepairs(
  file: string,
  counts: Record<'corrected' | 'done' | 'not done' | 'undecided', number>,
): string {
  const parts = [
    describe(counts.corrected, 'sent again with the values from the file'),
    describe(counts['not done'], 'sent again'),
    describe(counts.done, 'done'),
    describe(counts.undecided, 'still unknown: the column outcome is empty'),
  ];
  return `${file}: ${parts.filter(Boolean).join(', ') || 'the file contains no rows'}.`;
}

function describe(count: number, what: string): string {
  return count === 0 ? '' : `${be(count)} ${what}`;
}

/** Returns the ID of the existing record. CSV files contain numbers as text. */
function resultOf(result: unknown): Json {
  if (typeof result === 'number') return result;
  if (typeof result !== 'string' || result === '') return null;
  return /^\d{1,15}$/.test(result) ? Number(result) : result;
}
