import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** The table of the chaos run on a page. */
function chaosTable(page: string): string | undefined {
  const text = readFileSync(join(repositoryRoot, 'docs', page), 'utf8');
  return text.match(/(?:^\|.*\n)+/gm)?.find((table) => table.includes('killed with -9'));
}

test('the jobs reference shows the same chaos table as the decision record', () => {
  const recorded = chaosTable('decisions/0009-jobs-in-sqlite-or-postgres.md');
  expect(recorded).toContain('| rows lost | 0 |');
  expect(chaosTable('guides/jobs-reference.md')).toBe(recorded);
});
