/**
 * The checks that are not tests: of the specs (a part of `npm run lint`), `npm run test:mutation` and `npm run runtimes`.
 *
 * In: the name of a command and its options. `lint` reads the specs, `mutation` `src/client/core/` and its tests, `runtimes` the built packages in `dist/`.
 * Out: findings or figures on the standard output. The exit code is 1 if a check fails.
 */
import { dispatch } from '../command-line/dispatch.ts';

const commands = {
  lint: async () => (await import('./lint.ts')).runLint,
  mutation: async () => (await import('./mutation.ts')).runMutation,
  runtimes: async () => (await import('./runtimes.ts')).runRuntimes,
};

process.exitCode = await dispatch('node scripts/check/main.ts', commands, process.argv.slice(2));
