import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printFindings } from '../lint/print-findings.ts';
import { lintSpecs } from '../lint/specs.ts';
import { repositoryRoot } from '../spec/files.ts';
import { buildInThread } from './build-in-thread.ts';
import { compare, write } from './disk.ts';
import { withKeywordList } from './keyword-list.ts';
import type { Output } from './output.ts';

const directory = join(repositoryRoot, 'generated');
/** The page of conventions, which contains a generated list. */
const page = join(repositoryRoot, 'spec', 'README.md');

/** Lints, and builds everything in memory at the same time. If either fails, the old output remains. */
async function build(): Promise<Output | undefined> {
  const refused = new AbortController();
  const building = buildInThread(refused.signal);
  // Its error has a cause that the lint names.
  building.catch(() => undefined);
  const findings = await lintSpecs();
  if (findings.length === 0) return building;
  refused.abort();
  printFindings(findings);
  console.error(
    `Nothing was generated: fix ${findings.length === 1 ? 'this problem' : 'these problems'} in spec/ first.`,
  );
  return undefined;
}

/** Past tense of each difference, for messages. */
const done = { missing: 'added', stale: 'changed', 'not generated any more': 'removed' } as const;

/** Writes the differences and prints them. */
export async function regenerate(): Promise<boolean> {
  const started = performance.now();
  const output = await build();
  if (!output) return false;
  const text = readFileSync(page, 'utf8');
  const current = withKeywordList(text);
  const changed = write(directory, output);
  if (current !== text) {
    writeFileSync(page, current);
    console.log('  spec/README.md (changed)');
  }
  for (const { file, kind } of changed) console.log(`  generated/${file} (${done[kind]})`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  generated/: ${output.size} files, ${changed.length} changed, ${seconds} s`);
  return true;
}

/** Whether the committed files match the specs. Prints stale files. */
export async function checkFresh(): Promise<boolean> {
  const output = await build();
  if (!output) return false;
  const differences = compare(directory, output);
  for (const { file, kind } of differences) console.error(`  generated/${file} (${kind})`);
  const text = readFileSync(page, 'utf8');
  if (withKeywordList(text) !== text) {
    console.error('The list of keywords in spec/README.md is stale: run `npm run generate` and commit.');
    return false;
  }
  if (differences.length > 0) console.error('generated/ does not match spec/: run `npm run generate` and commit.');
  else console.log(`generated/: ${output.size} files, fresh`);
  return differences.length === 0;
}
