import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildOutput } from '../../../scripts/generate/build.ts';
import { compareFiles } from '../../../scripts/generate/disk.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

test('generated/ matches the specs: if not, run `npm run generate` and commit', async () => {
  expect(compareFiles(join(repositoryRoot, 'generated'), await buildOutput())).toEqual([]);
});
