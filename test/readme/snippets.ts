import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../scripts/spec/files.ts';

export interface Snippet {
  /** `README.md:42`: where the block begins. */
  name: string;
  code: string;
  /** It makes calls; without an import of the package it is only a declaration to compile. */
  runs: boolean;
}

/** Every TypeScript block of a Markdown file. */
export function readSnippets(file: string): Snippet[] {
  const lines = readFileSync(join(repositoryRoot, file), 'utf8').split('\n');
  const snippets: Snippet[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    if (!/^```(ts|typescript|js|javascript)$/.test(lines[index] ?? '')) continue;
    const end = lines.indexOf('```', index + 1);
    const code = lines.slice(index + 1, end).join('\n');
    snippets.push({ name: `${file}:${index + 1}`, code, runs: /from 'carillon/.test(code) });
    index = end;
  }
  return snippets;
}
