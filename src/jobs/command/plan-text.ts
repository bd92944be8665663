import type { JobStatus, PlanSummary } from '../types.ts';
import { describeCount, format } from './progress.ts';

/**
 * Describes how many rows of a source were planned or left out, in lines whose counts add up to the number of source rows.
 *
 * @param isKnown - whether the job already existed
 */
export function describePlan(
  { name, total, rows, plannedAt, startAt, state, plan }: JobStatus,
  isKnown: boolean,
): string {
  if (isKnown) {
    const since = `it was planned at ${plannedAt.toISOString()}`;
    const does = state === 'running' ? 'continues' : `is ${state}`;
    return `${name}: the job exists and ${does}: ${since}, with ${describeCount(plan?.rows ?? total)}.`;
  }
  const { rows: given, planned, leftOut } = plan ?? { rows: total, planned: total - rows.invalid, leftOut: {} };
  const parts = total - rows.invalid;
  const inParts = parts === planned ? '' : ` in ${format(parts)} ${parts === 1 ? 'part' : 'parts'}`;
  const invalid = given - planned;
  const counts =
    invalid > 0
      ? `of ${describeCount(given)}, ${be(planned)} planned${inParts} and ${be(invalid)} invalid.`
      : `${describeCount(given)} ${given === 1 ? 'is' : 'are'} planned${inParts}.`;
  const lines = Object.entries(leftOut)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([cause, count]) => `  ${format(count)} left out: ${cause}`);
  const start = startAt
    ? [`  Workers send the first row at ${startAt.toISOString()}. Start a worker: carillon-jobs work`]
    : [];
  return [`${name}: ${counts}`, ...lines, ...start, ...warningsOf(plan, name)].join('\n');
}

function warningsOf(plan: PlanSummary | undefined, name: string): string[] {
  const { repeated = 0, sameSource = [] } = plan ?? {};
  return [
    ...(repeated > 0
      ? [
          `  ${format(repeated)} of the planned ${repeated === 1 ? 'rows has' : 'rows have'} the same recipient as an earlier row, but different values. With --one-per-recipient, such rows are invalid.`,
        ]
      : []),
    ...(sameSource.length > 0
      ? [
          `  The same file was planned before, as ${sameSource.join(', ')}. Its rows are sent again unless you cancel this job: carillon-jobs cancel ${name}`,
        ]
      : []),
  ];
}

/** Returns `1 is`, `2 are` and so on. */
export function be(count: number): string {
  return `${format(count)} ${count === 1 ? 'is' : 'are'}`;
}
