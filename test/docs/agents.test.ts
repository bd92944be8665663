import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { shippedPages } from '../../scripts/build/package-pages.ts';
import { effectOf } from '../../scripts/spec/effect.ts';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { findMethod, methods } from '../../src/cli/catalogue/index.ts';

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const text = read('src/client/AGENTS.md');
/** File in the repository → file in `dist/` of the package `carillon`. */
const copies = new Map(Object.entries(shippedPages.carillon ?? {}));

it('every file that AGENTS.md names is in the package at that path', () => {
  const named = [...text.matchAll(/`dist\/([\w./-]+)` \(`([\w./-]+)`\)/g)];
  expect(named.length).toBeGreaterThan(3);
  for (const [, copy, file = ''] of named) expect([file, copies.get(file)]).toEqual([file, copy]);
  expect(copies.has('src/client/AGENTS.md')).toBe(true);
});

it('AGENTS.md names the methods that send, and only methods that exist', () => {
  const [, asks = ''] = text.split('## Ask a person first');
  const named = [...asks.matchAll(new RegExp(`\`((?:${specNames.join('|')})\\.[\\w.]+)\``, 'g'))].map(
    ([, name = '']) => name,
  );
  const sending = methods.filter(({ effect }) => effect === 'send').map(({ name }) => name);
  expect([...new Set(named)].sort(), 'the methods that send, in src/client/AGENTS.md').toEqual(sending.sort());
  const all = [...text.matchAll(/\bapi\.([\w.]+)\(/g)].map(([, name = '']) => name);
  expect(all.filter((name) => !findMethod(name))).toEqual([]);
});

it('spec/README.md gives the reason for each operation that sends', () => {
  const [, table = ''] = read('spec/README.md').split('### The operations that send');
  const [rows = ''] = table.split('\n###');
  const named = [...rows.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, id = '']) => id);
  const sending = specNames.flatMap((name) =>
    listOperations(loadSpec(name)).filter(({ operation }) => effectOf(operation).kind === 'send'),
  );
  expect(named.sort()).toEqual(sending.map(({ operationId }) => operationId).sort());
});

it('every link of llms.txt leads to a file of the package', () => {
  const copy = copies.get('generated/llms.txt') ?? '';
  const links = [...read('generated/llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) =>
    posix.join(posix.dirname(copy), href),
  );
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((file) => ![...copies.values(), '../README.md'].includes(file))).toEqual([]);
});
