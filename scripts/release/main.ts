/**
 * `npm run release:check`, `release:fixtures` and `release:version`: check that a version says what it changes, and make the next one.
 *
 * In: the working tree, a release of git, and `.changeset/`.
 * Out: the changes on the standard output, and the reasons against a release on the standard error, with exit code 1. `check --write`
 * writes `.changeset/`; `version` writes manifests, lock and changelog; `fixtures` writes the data of users of this version to
 * `test/releases/<version>/`, and later versions have to open them; `samples` prints the code samples of this revision, and later
 * releases have to compile them.
 */
import { dispatch } from '../command-line/dispatch.ts';

const commands = {
  check: async () => (await import('./check.ts')).runReleaseCheck,
  fixtures: async () => (await import('./fixtures.ts')).runFixtures,
  samples: async () => (await import('./samples.ts')).printSamples,
  version: async () => (await import('./version.ts')).runReleaseVersion,
};

process.exitCode = await dispatch('node scripts/release/main.ts', commands, process.argv.slice(2));
