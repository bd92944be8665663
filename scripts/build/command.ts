import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';

const about = 'Builds the packages, dist/ of each: ES modules, CommonJS, types and commands.';

/** `npm run build`. Resolves to the exit code. */
export function runBuild(args: string[]): Promise<number> {
  return runCommand(createCommand('npm run build --', about), args, () =>
    reportFailure('The packages were not built', async () => {
      // Imported here, so that `--help` and a mistyped option do not load the compiler and bundler.
      const { buildPackages } = await import('./build-package.ts');
      await buildPackages();
      return 0;
    }),
  );
}
