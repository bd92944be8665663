import { join } from 'node:path';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { messageOf } from '../../src/shared/message-of.ts';
import { repositoryRoot } from '../spec/files.ts';

interface Flags {
  check?: true;
  watch?: true;
}

const about = 'Lints the specs, and generates types, methods, validators and operations from them.';

/** `npm run generate`. Resolves to the exit code. */
export function runGenerate(args: string[]): Promise<number> {
  const command = createCommand('npm run generate --', about)
    .option('--check', 'compares generated/ with spec/ and writes nothing')
    .option('--watch', 'regenerates on every save below spec/');
  return runCommand<Flags>(command, args, async (flags) => {
    // Imported here, so that `--help` and a mistyped option do not wait for the imports.
    const [{ checkFresh, regenerate }, { runOnSave }] = await Promise.all([
      import('./regenerate.ts'),
      import('../command-line/run-on-save.ts'),
    ]);
    if (flags.watch) {
      console.log('Watching spec/. Press Ctrl+C to stop.');
      runOnSave([join(repositoryRoot, 'spec')], () => regenerate().catch(report));
      return 0;
    }
    return (await (flags.check ? checkFresh() : regenerate()).catch(report)) ? 0 : 1;
  });
}

function report(error: unknown): false {
  console.error(`Nothing was generated: ${messageOf(error)}`);
  return false;
}
