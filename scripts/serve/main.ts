/**
 * `npm start`, `npm run mock`, `npm run sandbox`: serve the API locally, and the docs, over HTTP.
 *
 * In: the name of a command (`start`, `mock` or `sandbox`) and its options, `spec/` and `generated/`.
 * Out: servers on loopback until Ctrl+C, and their addresses on the standard output. `start` also writes `generated/` and
 * `site/`.
 */
import { dispatch } from '../command-line/dispatch.ts';

const commands = {
  start: async () => (await import('./start.ts')).runStart,
  mock: async () => (await import('./mock.ts')).runMock,
  sandbox: async () => {
    // The same command that the package ships as `carillon-sandbox`.
    const { runSandbox } = await import('../../src/sandbox/command/command.ts');
    return (args: string[]) => runSandbox('npm run sandbox --', args);
  },
};

process.exitCode = await dispatch('node scripts/serve/main.ts', commands, process.argv.slice(2));
