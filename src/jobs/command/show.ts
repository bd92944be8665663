import type { JobRowDetails } from '../types.ts';
import { noClient } from './environment.ts';
import { type OutputOptions, say } from './output.ts';
import { describeResults } from './results.ts';
import { withJobs } from './session.ts';

/** `carillon-jobs show`: what happened to rows. Resolves to the exit code. */
export async function show(options: OutputOptions, [name = '', row = '']: string[]): Promise<number> {
  return withJobs(noClient, async (jobs) => {
    for (const found of await jobs.show(name, row)) say(options, found, describeRow(name, found));
    return 0;
  });
}

/** Describes a row in lines, without its values. */
function describeRow(name: string, row: JobRowDetails): string {
  const { line, key, state, step, reason, code, attempt, sentAt, endedAt, marker, values, results } = row;
  const names = Object.entries(values)
    .toSorted()
    .map(([of, size]) => (size === 1 ? of : `${of} (${size})`));
  const facts: [string, string | undefined][] = [
    ['step', step],
    ['reason', reason && `${reason}${code ? ` [${code}]` : ''}`],
    ['attempts', attempt === 0 ? 'none' : String(attempt)],
    ['last sent', sentAt?.toISOString()],
    ['ended', endedAt?.toISOString()],
    ['marker', state === 'unknown' ? marker : undefined],
    ['results', describeResults(results)],
    ['values', names.length > 0 ? names.join(', ') : 'none are kept'],
  ];
  const lines = facts.flatMap(([label, text]) => (text ? [`  ${label}: ${text}`] : []));
  return [`${name}, line ${line} (${key}): ${state}`, ...lines].join('\n');
}
