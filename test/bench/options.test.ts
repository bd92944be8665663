import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions } from '../../scripts/bench/bench-options.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const parts = ['calls', 'sizes'];

test('without options every part is measured, and the results go into the docs', () => {
  expect(readOptions({ values: {}, flags: {} }, parts)).toEqual({
    only: parts,
    quick: false,
    output: join(repositoryRoot, 'docs', 'benchmarks'),
    page: join(repositoryRoot, 'README.md'),
  });
});

test('the figures of a quick run go neither into the docs nor into the README', () => {
  const { output, page } = readOptions({ values: {}, flags: { quick: true } }, parts);
  expect([output, page]).toEqual([join(repositoryRoot, '.cache', 'benchmarks'), undefined]);
  expect(readOptions({ values: { output: 'elsewhere' }, flags: {} }, parts).page).toBeUndefined();
});

test('the report alone is made without measuring', () => {
  expect(readOptions({ values: {}, flags: { report: true } }, parts).only).toEqual([]);
});

test('parts are chosen by name, and an unknown name is reported', () => {
  expect(readOptions({ values: { only: 'sizes,calls' }, flags: {} }, parts).only).toEqual(['sizes', 'calls']);
  expect(() => readOptions({ values: { only: 'size' }, flags: {} }, parts)).toThrow(
    "There is no part 'size'. The parts are: calls, sizes",
  );
});
