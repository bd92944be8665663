/**
 * `npm start`, `npm run mock`, `npm run sandbox`: serve the API locally, and the docs, over HTTP.
 *
 * In: the name of a command (`start`, `mock` or `sandbox`) and its options, `spec/` and `generated/`.
 * Out: servers on loopback until Ctrl+C, and their addresses on the standard output. `start` also writes `generated/` and
 * `site/`.
 */
import { dispatch } from '../command-line/dispatch.ts';

/** Imported on demand, because Prism takes most of the start-up time. */
async function readSpec() {
  const { loadPrismOperations } = await import('../build/prism-operations.ts');
  return loadPrismOperations();
}

const commands = {
  start: async () => (await import('./start.ts')).runStart,
  mock: async () => {
    // The command `carillon-mock`, which reads `spec/` instead of the specs in its package.
    const { runMock } = await import('../../src/mock/command/command.ts');
    return (args: string[]) => runMock('npm run mock --', args, readSpec);
  },
  sandbox: async () => {
    // The command `carillon-sandbox`.
    const { runSandbox } = await import('../../src/sandbox/command/command.ts');
    return (args: string[]) => runSandbox('npm run sandbox --', args);
  },
};

process.exitCode = await dispatch('node scripts/serve/main.ts', commands, process.argv.slice(2));
