/**
 * `npm run release:check` and `release:version`: whether a version says what it changes, and the next version.
 *
 * In: the working tree, a release of git, and `.changeset/`.
 * Out: the changes on the standard output, and what stops a release on the standard error, with exit code 1. `samples` prints the code
 * samples of this revision, which later releases have to compile. `check --write` writes
 * `.changeset/`; `version` writes manifests, lock and changelog.
 */
import { dispatch } from '../command-line/dispatch.ts';

const commands = {
  check: async () => (await import('./check.ts')).runReleaseCheck,
  samples: async () => (await import('./samples.ts')).printSamples,
  version: async () => (await import('./version.ts')).runReleaseVersion,
};

process.exitCode = await dispatch('node scripts/release/main.ts', commands, process.argv.slice(2));
