import { join } from 'node:path';
import { printFindings } from '../lint/print-findings.ts';
import { lintSpecs } from '../lint/specs.ts';
import { repositoryRoot } from '../spec/files.ts';
import { buildInThread } from './build-in-thread.ts';
import { compareFiles, writeFiles } from './disk.ts';
import type { Output } from './output.ts';

const directory = join(repositoryRoot, 'generated');

/** Lints, and builds everything in memory at the same time. If either fails, the old output remains. */
async function build(): Promise<Output | undefined> {
  const lintFailed = new AbortController();
  const building = buildInThread(lintFailed.signal);
  // The lint names the cause of this error.
  building.catch(() => undefined);
  const findings = await lintSpecs();
  if (findings.length === 0) return building;
  lintFailed.abort();
  printFindings(findings);
  console.error(
    `Nothing was generated: fix ${findings.length === 1 ? 'this problem' : 'these problems'} in spec/ first.`,
  );
  return undefined;
}

/** Past tense of each difference, for messages. */
const done = { missing: 'added', stale: 'changed', 'not generated': 'removed' } as const;

/** Writes the differences and prints them. */
export async function regenerate(): Promise<boolean> {
  const started = performance.now();
  const output = await build();
  if (!output) return false;
  const changed = writeFiles(directory, output);
  for (const { file, kind } of changed) console.log(`  generated/${file} (${done[kind]})`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  generated/: ${output.size} files, ${changed.length} changed, ${seconds} s`);
  return true;
}

/** Whether the committed files match the specs. Prints stale files. */
export async function checkFresh(): Promise<boolean> {
  const output = await build();
  if (!output) return false;
  const differences = compareFiles(directory, output);
  for (const { file, kind } of differences) console.error(`  generated/${file} (${kind})`);
  if (differences.length > 0) console.error('generated/ does not match spec/: run `npm run generate` and commit.');
  else console.log(`generated/: ${output.size} files, fresh`);
  return differences.length === 0;
}
