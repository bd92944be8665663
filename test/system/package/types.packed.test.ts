import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openTelemetry } from '../../../scripts/check/runtimes/package.ts';
import { isNightly } from '../../support/amounts.ts';
import { compileProject, writeEveryEntry } from './compile-project.ts';
import { useProject } from './installed.ts';

const typescript = useProject('typescript', ...openTelemetry(), '@tanstack/query-core');
const program = useProject('program');
let everyEntry = '';
beforeAll(() => {
  everyEntry = writeEveryEntry(typescript());
});

test.each([
  ['with the oldest module resolution that knows packages', 'tsconfig.node10'],
  // By day, `npm run runtimes` does these with other versions of TypeScript.
  ...(isNightly
    ? [
        ['as strictly as can be, without the DOM', 'tsconfig.exact'],
        ['for a bundler', 'tsconfig.bundler'],
        ['with module: Node16, where CommonJS cannot import an ES module', 'tsconfig.node16'],
      ]
    : []),
])('the declarations compile in strict mode, libraries checked: %s', (_, name) => {
  expect(compileProject(join(typescript(), `${name}.json`), everyEntry)).toEqual([]);
});

// Compiled alone, because the augmented module must be reachable from the imported one.
test.each([
  ['carillon', 'an ES module', 'tsconfig.root'],
  ['carillon', 'CommonJS', 'tsconfig.root-commonjs'],
  ['carillon/paths', 'an ES module', 'tsconfig.paths'],
  ['carillon/paths', 'CommonJS', 'tsconfig.paths-commonjs'],
])('a program that imports %s alone can add a field to a record of carillon/crm: %s', (_, __, name) => {
  expect(compileProject(join(typescript(), `${name}.json`))).toEqual([]);
});

test('the program for every runtime compiles', () => {
  expect(compileProject(join(program(), 'tsconfig.json'))).toEqual([]);
});
