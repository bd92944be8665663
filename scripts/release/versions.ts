import { gte, inc, major } from 'semver';
import type { Impact, Verdict } from './verdict.ts';

/** Impacts, most severe first. */
export const impacts = ['break', 'addition', 'fix'] as const satisfies Impact[];

/**
 * The version part that a change raises. Before 1.0.0, a break raises the minor version and all other changes the patch.
 */
export function stepFor(impact: Impact, base: string): 'major' | 'minor' | 'patch' {
  if (major(base) === 0) return impact === 'break' ? 'minor' : 'patch';
  return ({ break: 'major', addition: 'minor', fix: 'patch' } as const)[impact];
}

/** The impact that decides the version. `undefined` if there are no verdicts. */
function gravest(verdicts: readonly Verdict[]): Verdict | undefined {
  return impacts.flatMap((impact) => verdicts.filter((verdict) => verdict.impact === impact))[0];
}

/** The lowest version that may follow a release. Without changes, the release's own version. */
export function minVersion(base: string, verdicts: readonly Verdict[]): string {
  const verdict = gravest(verdicts);
  const least = verdict ? inc(base, stepFor(verdict.impact, base)) : base;
  if (!least) throw new Error(`${base} is not a version such as 1.2.3`);
  return least;
}

/** @returns the sentence that says why a version is too low, or `undefined` if it is high enough */
export function judgeVersion(base: string, version: string, verdicts: readonly Verdict[]): string | undefined {
  const least = minVersion(base, verdicts);
  if (gte(version, least)) return undefined;
  const verdict = gravest(verdicts);
  const reason = verdict ? ` because of ${verdict.surface}, ${verdict.place}: ${verdict.sentence}` : '';
  return `The version is ${version}, and has to be ${least} or higher${reason || ', the version of the last release'}`;
}
