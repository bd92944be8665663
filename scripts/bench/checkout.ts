import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';

/** What is made from the rest: a fresh clone does not have it. `.git` stays out too, since nothing here needs history. */
const made = new Set(['node_modules', 'dist', 'site', '.cache', '.git']);

export interface Checkout {
  folder: string;
  /** An empty folder for npm's cache. */
  cache: string;
  remove(): void;
}

/** A copy of this checkout as a fresh clone would be, changes that are not committed included. */
export function copyCheckout(): Checkout {
  const root = mkdtempSync(join(tmpdir(), 'carillon-steps-'));
  const folder = join(root, 'checkout');
  const filter = (source: string): boolean => !made.has(basename(source)) && source !== heyApi;
  cpSync(repositoryRoot, folder, { recursive: true, filter });
  return { folder, cache: join(root, 'npm'), remove: () => rmSync(root, { recursive: true, force: true }) };
}

const heyApi = join(repositoryRoot, 'scripts', 'bench', 'peers', 'generated');
