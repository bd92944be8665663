import { type Impact, surfaces, type Verdict } from './verdict.ts';
import { impacts } from './versions.ts';

/** The result of a check. */
export interface Outcome {
  /** The revision compared with. `undefined` if there is no release. */
  base: string | undefined;
  /** The version after the changes. */
  version: string;
  verdicts: Verdict[];
  /** The problems that stop the release, each a sentence. */
  problems: string[];
}

const titles: Record<Impact, string> = { break: 'Breaks', addition: 'New', fix: 'Other changes' };

/** Sorts by impact, most severe first, then by surface. */
export function sortVerdicts(verdicts: readonly Verdict[]): Verdict[] {
  const rank = ({ impact, surface }: Verdict): number => impacts.indexOf(impact) * 100 + surfaces.indexOf(surface);
  return verdicts.toSorted((left, right) => rank(left) - rank(right));
}

/** The changes as Markdown, one per line. */
export function formatOutcome({ base, version, verdicts }: Outcome): string {
  if (base === undefined)
    return `There is no release yet, so version ${version} breaks no program. Describe what users notice in CHANGELOG.md.`;
  const groups = impacts.flatMap((impact) => {
    const found = verdicts.filter((verdict) => verdict.impact === impact);
    if (found.length === 0) return [];
    return `### ${titles[impact]} (${found.length})\n\n${found.map(({ sentence }) => `- ${sentence}`).join('\n')}`;
  });
  const changes = groups.length > 0 ? groups : ['Neither methods nor types change.'];
  return [`## Changes since ${base}, for version ${version}`, ...changes].join('\n\n');
}
