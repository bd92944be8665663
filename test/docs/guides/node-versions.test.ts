import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const folder = join(repositoryRoot, 'docs', 'guides');
const pages = [join(repositoryRoot, 'README.md'), ...readdirSync(folder).map((name) => join(folder, name))];

/** Programs that a page asks readers to run, such as `deals.ts`. */
const programs = pages.flatMap((page) => {
  const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ');
  const found = text.matchAll(/`node ([\w-]+\.ts)[` ]|[Ss]ave (?:this|it) as `([\w-]+\.ts)`/g);
  return [...found].map(([, run, saved]) => ({ page, text, program: run ?? saved ?? '' }));
});

it('a page states which Node runs a TypeScript program, and how an older one runs it, or links to that', () => {
  expect(programs.length).toBeGreaterThan(15);
  for (const { page, text, program } of programs) {
    const isStated = text.includes('Node 22.18 or newer') && text.includes(`npx tsx ${program}`);
    expect(isStated || text.includes('(./first-call.md#start-the-sandbox)'), `${page}: ${program}`).toBe(true);
  }
});
