import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adaptPackageLinks, shippedPages } from '../../scripts/build/package-pages.ts';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => link);

describe.each(listPackages().map(({ name, folder }) => [name, folder] as const))('%s', (name, folder) => {
  const copies = shippedPages[name] ?? {};

  it('copies pages that exist', () => {
    const missing = Object.keys(copies).filter((file) => !existsSync(join(repositoryRoot, file)));
    expect([Object.keys(copies).length > 0, missing]).toEqual([true, []]);
  });

  it.each(Object.entries(copies).filter(([from]) => from.endsWith('.md')))(
    'every link of %s leads to one of its pages',
    (from, to) => {
      const known = [...Object.values(copies), '../README.md'];
      const links = linksOf(adaptPackageLinks(read(from), from, to, copies));
      expect(links.filter((link) => !known.includes(posix.join(posix.dirname(to), link)))).toEqual([]);
    },
  );

  it('has a README that names only its own pages', () => {
    const text = read(`${folder}/README.md`);
    expect(linksOf(text)).toEqual([]);
    const named = [...text.matchAll(/`dist\/([\w./-]+\.md)`/g)].map(([, file = '']) => file);
    expect(named.filter((file) => !Object.values(copies).includes(file))).toEqual([]);
  });
});

it('a link to a page of another package names the page once, and a link to no page becomes its text', () => {
  const text =
    'See [the sandbox](./sandbox.md#as-a-dev-server), [faults](./sandbox.md), [options](./options.md#lists), [install](../../README.md#install) and [campaigns](./campaign.md). ![A picture.](../diagrams/sent.svg)';
  const copies = { 'docs/guides/errors.md': 'docs/errors.md', 'docs/guides/options.md': 'docs/options.md' };
  expect(adaptPackageLinks(text, 'docs/guides/errors.md', 'docs/errors.md', copies)).toBe(
    'See the sandbox (`dist/docs/sandbox.md` of the package `carillon-sandbox`), faults, [options](options.md#lists), [install](../../README.md) and campaigns. A picture.',
  );
});
