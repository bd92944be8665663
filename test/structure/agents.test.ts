import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { findMethod, methods } from '../../src/cli/catalogue/index.ts';

const read = (file: string): string => readFileSync(join(repositoryRoot, file), 'utf8');
const text = read('AGENTS.md');
const manifest: { files: string[] } = JSON.parse(read('package.json'));
/** A leading slash means the top of the package: npm finds other names in any folder. */
const files = manifest.files.map((file) => file.replace(/^\//, ''));

it('every file that AGENTS.md names is in the package', () => {
  const named = [...text.matchAll(/`((?:generated|docs)\/[\w./-]+)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(3);
  for (const file of [...named, 'AGENTS.md']) expect([file, files.includes(file)]).toEqual([file, true]);
});

it('AGENTS.md names the methods that send, and no method that does not exist', () => {
  const [, asks = ''] = text.split('## Ask a person first');
  const named = [...asks.matchAll(/`((?:crm|messaging|email)\.[\w.]+)`/g)].map(([, name = '']) => name);
  const sending = methods.filter(({ effect }) => effect === 'send').map(({ name }) => name);
  expect([...new Set(named)].sort()).toEqual(sending.sort());
  const all = [...text.matchAll(/\bapi\.([\w.]+)\(/g)].map(([, name = '']) => name);
  expect(all.filter((name) => !findMethod(name))).toEqual([]);
});

it('spec/README.md gives the reason for each operation that sends', () => {
  const [, table = ''] = read('spec/README.md').split('### The operations that send');
  const [rows = ''] = table.split('\nRemoving');
  const named = [...rows.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, id = '']) => id);
  const sending = specNames.flatMap((name) =>
    listOperations(loadSpec(name)).filter(({ operation }) => operation['x-effect'] === 'send'),
  );
  expect(named.sort()).toEqual(sending.map(({ operationId }) => operationId).sort());
});

it('every link of llms.txt leads to a file of the package', () => {
  const links = [...read('generated/llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) =>
    join('generated', href),
  );
  expect(links.length).toBeGreaterThan(5);
  for (const file of links) {
    const isPacked = files.includes(file) || file === 'README.md' || /^spec\/\w+\.yaml$/.test(file);
    expect([file, isPacked && existsSync(join(repositoryRoot, file))]).toEqual([file, true]);
  }
});
