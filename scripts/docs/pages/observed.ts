import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAll, nameOfPointer, type PointFinding, type State, states } from '../../../src/cli/learn/findings.ts';
import { basisText } from '../../../src/cli/learn/report.ts';
import { type Observed, readObserved } from '../../../src/shared/observed/observed.ts';
import { capitalize } from '../../generate/names.ts';
import { repositoryRoot } from '../../spec/files.ts';
import { guidePath, pagePaths } from '../addresses.ts';
import { blocks, code, folded, link, list, searchWords, table } from '../markdown.ts';
import type { SitePage } from '../page.ts';

/** Merged observations that users sent to the project. */
const observedFile = join(repositoryRoot, 'spec', 'observed.json');

const meanings: Readonly<Record<State, string>> = {
  settled: 'Replies showed it often enough: three with two records each, or one failure.',
  supported: 'Replies showed it, but less often, or as this project assumes.',
  contradicted: 'Replies have values that the spec does not list.',
  'not seen': 'Replies can show it. No account has sent it yet.',
  'traffic cannot tell': 'Only an experiment or the provider can answer it.',
};

/** Writes the page "What traffic shows": the verdicts of real accounts on the undocumented points. */
export function observedPage(file = observedFile): SitePage {
  const observed: Observed = existsSync(file)
    ? readObserved(readFileSync(file, 'utf8'), file, () => true)
    : { accounts: {} };
  const { points, accounts, ...findings } = findAll(observed);
  const of = (state: State): PointFinding[] => points.filter((point) => point.state === state);
  return {
    path: pagePaths.observed,
    title: 'What traffic shows',
    description: 'Which points that are not documented replies of real accounts settle, and which they cannot.',
    searchWords: 'observed, observations, real replies, traffic, learn',
    body: blocks(
      `The documents leave ${points.length} ${link('points', pagePaths.open)} without an answer. Ordinary replies can settle ${points.length - of('traffic cannot tell').length} of them. ${link('Learn from your traffic', guidePath('learn'))} shows how, and how to send what you found: it contains no values.`,
      searchWords(['carillon learn report']),
      accounts === 0
        ? 'No account has sent observations yet.'
        : `This page was ${basisText({ accounts, replies: findings.replies })}.`,
      table(
        ['State', 'Points', 'Meaning'],
        states.map((state) => [state, String(of(state).length), meanings[state]]),
      ),
      ...states
        .filter((state) => of(state).length > 0)
        .map((state) => folded(`${capitalize(state)} (${of(state).length})`, list(of(state).map(describePoint)))),
    ),
  };
}

function describePoint({ product, point, shows, ...basis }: PointFinding): string {
  const seen = shows === '' ? '' : ` Seen: ${code(shows)} (${basisText(basis)}).`;
  return `${product}: ${code(nameOfPointer(point.at))}: ${point.text}${seen}`;
}
