import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../scripts/spec/files.ts';

export interface Snippet {
  /** `README.md:42`: where the block begins. */
  name: string;
  code: string;
  /**
   * It makes calls. Without an import of the package it is only a declaration to compile, and so is a block that needs a
   * browser, marked as ```ts browser.
   */
  runs: boolean;
}

/** The pages whose code is held to compile and run. */
export const pages = [
  'README.md',
  ...readdirSync(join(repositoryRoot, 'docs', 'guides')).map((name) => `docs/guides/${name}`),
];

/** Every TypeScript block of a Markdown file. */
export function readSnippets(file: string): Snippet[] {
  const lines = readFileSync(join(repositoryRoot, file), 'utf8').split('\n');
  const snippets: Snippet[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const opening = /^```(?:ts|typescript|js|javascript)( browser)?$/.exec(lines[index] ?? '');
    if (!opening) continue;
    const end = lines.indexOf('```', index + 1);
    if (end < 0) throw new Error(`The block at ${file}:${index + 1} does not end`);
    const code = lines.slice(index + 1, end).join('\n');
    snippets.push({ name: `${file}:${index + 1}`, code, runs: !opening[1] && /from 'carillon|fetch\(/.test(code) });
    index = end;
  }
  return snippets;
}
