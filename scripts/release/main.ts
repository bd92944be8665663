/**
 * `npm run release:check` and `release:version`: check that the version and changelog match the changes, and make
 * the next version.
 *
 * In: the working tree, a release of git, and `.changeset/`.
 * Out: the changes on the standard output, and the reasons against a release on the standard error, with exit code 1. `check --write`
 * writes `.changeset/`; `version` writes manifests, lockfile and changelog; `samples` prints the code samples of this revision, which
 * later releases must compile.
 */
import { dispatch } from '../command-line/dispatch.ts';

const commands = {
  check: async () => (await import('./check.ts')).runReleaseCheck,
  samples: async () => (await import('./samples.ts')).printSamples,
  version: async () => (await import('./version.ts')).runReleaseVersion,
};

process.exitCode = await dispatch('node scripts/release/main.ts', commands, process.argv.slice(2));
