import { type CommandLine, withArguments } from '../command-line/command-line.ts';
import { reportFailure } from '../command-line/run-command.ts';

const command: CommandLine = {
  line: 'npm run build --',
  about: 'Builds the package in dist/: ES modules, CommonJS, types and commands.',
};

/** `npm run build`. Resolves to the exit code. */
export function runBuild(args: string[]): Promise<number> {
  return withArguments(command, args, () =>
    reportFailure('dist/ was not built', async () => {
      // Loaded now, so that --help and a mistyped option do not wait for compiler and bundler.
      const { buildPackage } = await import('./build-package.ts');
      await buildPackage();
      return 0;
    }),
  );
}
