/** `npm run generate`: specs → `generated/`. `--check` compares instead of writing, `--watch` regenerates on save. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkFresh, regenerate } from './generate/regenerate.ts';
import { runOnSave } from './generate/watch.ts';
import { repositoryRoot } from './spec/files.ts';

const usage = `Usage: npm run generate [-- --check | --watch]

  --check  compares generated/ with spec/ and writes nothing
  --watch  regenerates on every save below spec/`;

function readOptions(): { check?: boolean; watch?: boolean; help?: boolean } {
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({ options: { check: flag, watch: flag, help: flag } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

function report(error: unknown): false {
  console.error(`Nothing was generated: ${error instanceof Error ? error.message : String(error)}`);
  return false;
}

const options = readOptions();
if (options.help) console.log(usage);
else if (options.watch) {
  console.log('Watching spec/; Ctrl+C ends it.');
  runOnSave(join(repositoryRoot, 'spec'), () => regenerate().catch(report));
} else {
  process.exitCode = (await (options.check ? checkFresh() : regenerate()).catch(report)) ? 0 : 1;
}
