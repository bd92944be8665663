/**
 * `npm run generate`: generates code from the specs.
 *
 * In: `spec/`, which is linted first.
 * Out: `generated/`: types, methods, validators, operations and a report for each spec. `--check` compares instead of
 * writing, `--watch` regenerates on every save.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../spec/files.ts';
import { checkFresh, regenerate } from './regenerate.ts';
import { runOnSave } from './watch.ts';

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
