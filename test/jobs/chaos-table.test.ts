import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** The table of a page that tells how many workers were killed. */
function chaosTable(page: string): string | undefined {
  const text = readFileSync(join(repositoryRoot, 'docs', page), 'utf8');
  return text.match(/(?:^\|.*\n)+/gm)?.find((table) => table.includes('killed with -9'));
}

test('the reference of jobs shows the table of the chaos run as the decision record has it', () => {
  const recorded = chaosTable('decisions/0009-jobs-on-postgres.md');
  expect(recorded).toContain('| rows lost | 0 |');
  expect(chaosTable('guides/jobs-reference.md')).toBe(recorded);
});
