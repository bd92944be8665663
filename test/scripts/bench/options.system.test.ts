import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions } from '../../../scripts/bench/bench-options.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const parts = ['calls', 'sizes'];

test('without options every part is measured, and the results go into the docs', () => {
  expect(readOptions({}, parts)).toEqual({
    only: parts,
    quick: false,
    output: join(repositoryRoot, 'docs', 'benchmarks'),
    page: join(repositoryRoot, 'README.md'),
  });
});

test('the figures of a quick run go neither into the docs nor into the README', () => {
  const { output, page } = readOptions({ quick: true }, parts);
  expect([output, page]).toEqual([join(repositoryRoot, '.cache', 'benchmarks'), undefined]);
  expect(readOptions({ output: 'elsewhere' }, parts).page).toBeUndefined();
});

test('the report alone is made without measuring', () => {
  expect(readOptions({ report: true }, parts).only).toEqual([]);
});

test('parts are chosen by name, and an unknown name is reported', () => {
  expect(readOptions({ only: 'sizes,calls' }, parts).only).toEqual(['sizes', 'calls']);
  expect(() => readOptions({ only: 'size' }, parts)).toThrow("There is no part 'size'. The parts are: calls, sizes");
});
