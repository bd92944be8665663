import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { normaliseOutput, pages, pagesWithoutPrograms, readSnippets } from '../../support/snippets.ts';

const guides = pages.filter((page) => page.startsWith('docs/guides/') && !pagesWithoutPrograms.includes(page));

/** The blocks of a page with this content. */
async function snippetsOf(markdown: string): Promise<ReturnType<typeof readSnippets>> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-page-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'page.md');
  await writeFile(file, markdown);
  return readSnippets(relative(repositoryRoot, file));
}

const program = "```ts\nimport { createClient } from 'carillon';\n```";

test.for(guides)('%s has a program that runs, and its output matches', (guide) => {
  expect(readSnippets(guide).some(({ runs }) => runs)).toBe(true);
  // Only blocks marked as `output` are compared with a plain run. Guides whose output needs more have their own test.
  expect(readFileSync(join(repositoryRoot, guide), 'utf8')).toMatch(/^```text/m);
});

test('an output belongs to the program above it', async () => {
  const snippets = await snippetsOf(`${program}\n\nIt prints:\n\n\`\`\`text output\n1\n2\n\`\`\`\n\n${program}\n`);
  expect(snippets.map(({ output }) => output)).toEqual(['1\n2', undefined]);
});

test.for([
  ['no program', ''],
  ['a program that is not run', "```ts browser\nimport 'carillon';\n```\n"],
  ['a program that has one', `${program}\n\`\`\`text output\n1\n\`\`\`\n`],
])('an output below %s is an error', async ([, above]) => {
  await expect(snippetsOf(`${above}\`\`\`text output\n2\n\`\`\`\n`)).rejects.toThrow(/stands below no program/);
});

test('outputs are compared without dates, durations and addresses', () => {
  const shown =
    'Sent 2026-11-03 10:00:00, 2026-11-03 and 2026-11-03T10:00:00.123Z in 12 ms at http://127.0.0.1:4012: 100001';
  const printed =
    'Sent 2027-01-09 23:59:59, 2027-01-09 and 2027-01-09T23:59:59.000Z in 3.5 ms at http://127.0.0.1:50123: 100001';
  expect(normaliseOutput(`${printed}\n`, 'http://127.0.0.1:50123')).toBe(normaliseOutput(shown));
  expect(normaliseOutput(printed.replace('100001', '100002'), 'http://127.0.0.1:50123')).not.toBe(
    normaliseOutput(shown),
  );
});
