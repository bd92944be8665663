import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Output } from './output.ts';

export interface Difference {
  file: string;
  kind: 'missing' | 'stale' | 'not generated any more';
}

/** Compares the files in a directory with the generated files. */
export function compare(directory: string, output: Output): Difference[] {
  const present = existsSync(directory) ? listFiles(directory) : [];
  const differences: Difference[] = [];
  for (const [file, content] of output) {
    if (!present.includes(file)) differences.push({ file, kind: 'missing' });
    else if (readFileSync(join(directory, file), 'utf8') !== content) differences.push({ file, kind: 'stale' });
  }
  for (const file of present) {
    if (!output.has(file)) differences.push({ file, kind: 'not generated any more' });
  }
  return differences;
}

/**
 * Writes the differences. Each file is written under a temporary name and renamed, so that readers never see a partial
 * file.
 */
export function write(directory: string, output: Output): Difference[] {
  const differences = compare(directory, output);
  const staged = differences.filter(({ kind }) => kind !== 'not generated any more');
  const temporary = (file: string): string => join(directory, `${file}.tmp`);
  try {
    for (const { file } of staged) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(temporary(file), output.get(file) ?? '');
    }
    for (const { file } of staged) renameSync(temporary(file), join(directory, file));
  } finally {
    for (const { file } of staged) rmSync(temporary(file), { force: true });
  }
  for (const { file, kind } of differences) {
    if (kind === 'not generated any more') rmSync(join(directory, file));
  }
  return differences;
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}
