/**
 * `npm run release:check [-- <revision>]`: lists the working tree's changes of methods and types since the last release (or another
 * revision), and checks that the version and the changelog match them.
 */
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { checkFresh } from '../generate/regenerate.ts';
import { repositoryRoot } from '../spec/files.ts';
import {
  findMissing,
  lineOf,
  type Pending,
  readChangelog,
  readPending,
  sectionOf,
  writeChangeset,
} from './changelog.ts';
import { git, listReleases, withReleases } from './checkouts.ts';
import { methodsJudge } from './methods.ts';
import { formatOutcome, type Outcome, sortVerdicts } from './output.ts';
import { findObstacles } from './publishing.ts';
import { typesJudge } from './types.ts';
import type { Judge, Verdict } from './verdict.ts';
import { judgeVersion } from './versions.ts';

const about = `Compares methods and types of the working tree with the last release. Fails if the version or the changelog does
not say what changes. With another revision, it only prints the changes.`;

interface Options {
  write?: true;
  publish?: true;
}

export function runReleaseCheck(args: string[]): Promise<number> {
  const command = createCommand('npm run release:check --', about)
    .argument('[revision]', 'a release such as v1.2.0, or any revision of git; the newest release unless given')
    .option('--write', 'write the changes that the changelog does not have to .changeset/')
    .option('--publish', 'also check what publishing needs');
  return runCommand<Options>(command, args, (options, [revision]) =>
    reportFailure('The release was not checked', () => check(options, revision)),
  );
}

const judges: readonly Judge[] = [methodsJudge, typesJudge];

async function check(options: Options, given: string | undefined): Promise<number> {
  const base = given ?? (await listReleases())[0];
  if (base === undefined && (await git('rev-parse', '--is-shallow-repository')) === 'true') {
    console.error('This clone is shallow and may lack releases. To compare with them: git fetch --unshallow --tags');
  }
  // The judges read generated files: a change of a spec that is not generated yet would pass as no change.
  if (base !== undefined && !(await checkFresh())) return 1;
  const outcome = await compare(base, options);
  if (options.publish) {
    const { texts } = await readPending(repositoryRoot);
    outcome.problems.push(...(await findObstacles(repositoryRoot, texts.length, await listReleases())));
  }
  console.log(formatOutcome(outcome));
  for (const problem of outcome.problems) console.error(`\n${problem}`);
  return outcome.problems.length > 0 ? 1 : 0;
}

async function compare(base: string | undefined, { write }: Options): Promise<Outcome> {
  const { version, pending } = await readVersion();
  if (base === undefined) return { base, version, verdicts: [], problems: [] };
  const found = await withReleases(base, console.error, async (old, current) => ({
    old: old.version,
    verdicts: await judgeAll(judges, old, current),
  }));
  const { old, verdicts, ...rest } = found;
  const outcome: Outcome = { base, version, verdicts, problems: [], ...rest };
  if (!(await listReleases()).includes(base)) {
    if (write)
      console.error(
        `Nothing was written, because ${base} is not a release. Describe what users notice in CHANGELOG.md.`,
      );
    return outcome;
  }
  const missing = findMissing(verdicts, [sectionOf(await readChangelog(repositoryRoot), version), ...pending.texts]);
  if (write && missing.length > 0) {
    console.error(`Wrote ${await writeChangeset(repositoryRoot, old, missing)}.`);
    const after = await readVersion();
    return { ...outcome, version: after.version, problems: problemsOf(old, after.version, verdicts, []) };
  }
  return { ...outcome, problems: problemsOf(old, version, verdicts, missing) };
}

/** Runs all judges one after another. Stops if a judge throws. */
export async function judgeAll(judges: readonly Judge[], ...releases: Parameters<Judge['judge']>): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const judge of judges) verdicts.push(...(await judge.judge(...releases)));
  return sortVerdicts(verdicts);
}

/** The problems that stop a release, as sentences. */
export function problemsOf(
  base: string,
  version: string,
  verdicts: readonly Verdict[],
  missing: readonly Verdict[],
): string[] {
  const low = judgeVersion(base, version, verdicts);
  const unwritten =
    missing.length > 0 &&
    `CHANGELOG.md and .changeset/ lack ${missing.length} of the changes. npm run release:check -- --write adds them:\n${missing.map(lineOf).join('\n')}`;
  return [low, unwritten].filter((problem) => typeof problem === 'string');
}

/** The version of the packages, or the next one if `.changeset/` has changes. */
async function readVersion(): Promise<{ version: string; pending: Pending }> {
  const pending = await readPending(repositoryRoot);
  return { version: pending.version ?? pending.current, pending };
}
