import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

test('the picture in docs/architecture.md shows the imports between packages and folders', async () => {
  const { output } = await cruise(['src', 'generated', 'scripts', 'docs/src'], {
    ...(await extractOptions(join(repositoryRoot, '.dependency-cruiser.mjs'))),
    collapse: '^(?:src/[^/]+|generated|scripts|docs)',
    outputType: 'mermaid',
  });
  const page = readFileSync(join(repositoryRoot, 'docs', 'architecture.md'), 'utf8');
  const [, picture = ''] = /```mermaid\n(.*?)```/s.exec(page) ?? [];
  expect(lines(picture), `replace the picture by\n${output}`).toEqual(lines(String(output)));
});

/** Sorted, because the order of the arrows depends on the order in which files are read. */
function lines(picture: string): string[] {
  return picture.trim().split('\n').toSorted();
}
