import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const manifest = z
  .object({ files: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')));

/** Pages in the package. npm adds the first two by itself. */
const shipped = [
  'README.md',
  'LICENSE',
  ...manifest.files.map((file) => file.replace(/^\//, '')).filter((file) => file.endsWith('.md')),
];

it.each(shipped.filter((page) => page.endsWith('.md')))('every link of %s leads to a file of the package', (page) => {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) =>
    normalize(join(dirname(page), link)),
  );
  expect(links.filter((link) => !existsSync(join(repositoryRoot, link)) || !shipped.includes(link))).toEqual([]);
});
