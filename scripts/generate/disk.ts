import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Output } from './output.ts';

export interface Difference {
  file: string;
  kind: 'missing' | 'stale' | 'not generated';
}

/** Compares the files in a directory with the generated files. */
export function compareFiles(directory: string, output: Output): Difference[] {
  const present = existsSync(directory) ? listFiles(directory) : [];
  const differences: Difference[] = [];
  for (const [file, content] of output) {
    if (!present.includes(file)) differences.push({ file, kind: 'missing' });
    else if (readFileSync(join(directory, file), 'utf8') !== content) differences.push({ file, kind: 'stale' });
  }
  for (const file of present) {
    if (!output.has(file)) differences.push({ file, kind: 'not generated' });
  }
  return differences;
}

/**
 * Replaces the directory as a whole, so that readers never see files of two generations. Unchanged files keep their identity:
 * they are linked into the new directory. If anything fails, the old directory remains.
 */
export function writeFiles(directory: string, output: Output): Difference[] {
  const differences = compareFiles(directory, output);
  if (differences.length === 0) return [];
  const changed = new Set(differences.map(({ file }) => file));
  mkdirSync(directory, { recursive: true });
  const fresh = mkdtempSync(`${directory}-new-`);
  const old = mkdtempSync(`${directory}-old-`);
  try {
    for (const [file, content] of output) {
      mkdirSync(dirname(join(fresh, file)), { recursive: true });
      if (changed.has(file)) writeFileSync(join(fresh, file), content);
      else linkSync(join(directory, file), join(fresh, file));
    }
    // A directory can replace only an empty directory.
    renameSync(directory, old);
    renameSync(fresh, directory);
  } finally {
    if (!existsSync(directory)) renameSync(old, directory);
    for (const rest of [fresh, old]) rmSync(rest, { recursive: true, force: true });
  }
  return differences;
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}
