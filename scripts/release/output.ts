import { type Impact, surfaces, type Verdict } from './verdict.ts';
import { impacts } from './versions.ts';

/** Formats of `--format`. */
export const formats = ['text', 'markdown', 'json'] as const;
export type Format = (typeof formats)[number];

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

export function formatOutcome(outcome: Outcome, format: Format): string {
  if (format === 'json') {
    const { base = null, ...rest } = outcome;
    return JSON.stringify({ base, ...rest }, null, 2);
  }
  const { base, version, verdicts } = outcome;
  const isMarkdown = format === 'markdown';
  if (base === undefined)
    return `There is no release yet, so version ${version} breaks no program. Describe what users notice in CHANGELOG.md.`;
  const title = `Changes since ${base}, for version ${version}`;
  const groups = impacts.flatMap((impact) => {
    const found = verdicts.filter((verdict) => verdict.impact === impact);
    if (found.length === 0) return [];
    const heading = `${titles[impact]} (${found.length})`;
    const lines = found.map(({ surface, sentence }) =>
      isMarkdown ? `- ${surface}: ${sentence}` : `  ${surface.padEnd(9)} ${sentence}`,
    );
    return [isMarkdown ? `### ${heading}\n\n${lines.join('\n')}` : `${heading}\n${lines.join('\n')}`];
  });
  const changes = groups.length > 0 ? groups : ['Users notice no change.'];
  return [isMarkdown ? `## ${title}` : title, ...changes].join('\n\n');
}
