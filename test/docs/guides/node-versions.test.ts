import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const folder = join(repositoryRoot, 'docs', 'guides');
const pages = [join(repositoryRoot, 'README.md'), ...readdirSync(folder).map((name) => join(folder, name))];

/** Programs that a page asks readers to run, such as `deals.ts`. */
const programs = pages.flatMap((page) => {
  const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ');
  return [...text.matchAll(/with `node ([\w-]+\.ts)`/g)].map(([, program = '']) => ({ page, text, program }));
});

it('a page states which Node runs a TypeScript program, and how an older one runs it', () => {
  expect(programs.length).toBeGreaterThan(9);
  for (const { page, text, program } of programs) {
    expect(text.includes('Node 22.18 or newer') && text.includes(`npx tsx ${program}`), `${page}: ${program}`).toBe(
      true,
    );
  }
});
