/**
 * `npm run generate`: specs → `generated/`. `--check` compares instead of writing, `--watch` regenerates on save.
 */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildOutput } from './generate/build.ts';
import { compare, type Difference, write } from './generate/disk.ts';
import { printFindings } from './lint/report.ts';
import { lintSpecs } from './lint/specs.ts';
import { repositoryRoot } from './spec/files.ts';

const directory = join(repositoryRoot, 'generated');
const usage = 'Usage: npm run generate [-- --check | --watch]';

/** Lints, then builds everything in memory; nothing is on the disk yet, so a failure leaves the old output whole. */
async function run(finish: (output: Map<string, string>) => boolean): Promise<boolean> {
  const findings = await lintSpecs();
  if (findings.length > 0) {
    printFindings(findings);
    console.error(`Nothing was generated: mend ${findings.length === 1 ? 'this' : 'these'} in spec/ first.`);
    return false;
  }
  return finish(await buildOutput());
}

async function generate(): Promise<boolean> {
  const started = performance.now();
  return run((output) => {
    const changed = write(directory, output);
    for (const difference of changed) console.log(`  ${label(difference)}`);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`generated/: ${output.size} files, ${changed.length} changed, ${seconds} s`);
    return true;
  });
}

async function check(): Promise<boolean> {
  return run((output) => {
    const differences = compare(directory, output);
    for (const difference of differences) console.error(`  ${label(difference)}`);
    if (differences.length > 0) console.error('generated/ does not match spec/: run `npm run generate` and commit.');
    else console.log(`generated/: ${output.size} files, fresh`);
    return differences.length === 0;
  });
}

function label({ file, kind }: Difference): string {
  return `generated/${file} (${kind})`;
}

/** Runs once, then after every save below spec/; saves that come while it runs are taken together afterwards. */
function watchSpecs(): void {
  let running = false;
  let again = false;
  const regenerate = async (): Promise<void> => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    await generate().catch(report);
    running = false;
    if (again) {
      again = false;
      await regenerate();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  watch(join(repositoryRoot, 'spec'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(regenerate, 100);
  });
  console.log('Watching spec/ (Ctrl-C ends it)');
  void regenerate();
}

function report(error: unknown): false {
  console.error(`Nothing was generated: ${error instanceof Error ? error.message : String(error)}`);
  return false;
}

function readOptions(): { check?: boolean; watch?: boolean; help?: boolean } {
  try {
    return parseArgs({
      options: { check: { type: 'boolean' }, watch: { type: 'boolean' }, help: { type: 'boolean' } },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}

const options = readOptions();
if (options.help) console.log(usage);
else if (options.watch) watchSpecs();
else process.exitCode = (await (options.check ? check() : generate()).catch(report)) ? 0 : 1;
