import { expect, test } from 'vitest';
import { sampleLines } from '../../../scripts/check/mutation/sample.ts';

const files = [
  { file: 'a.ts', lines: 30 },
  { file: 'b.ts', lines: 5 },
];

test('all lines are picked once if as many are wanted as there are', () => {
  expect(sampleLines(files, 35, '1')).toEqual(['a.ts:1-12', 'a.ts:13-24', 'a.ts:25-30', 'b.ts:1-5']);
});

test('no more stretches are picked than the wanted lines need', () => {
  expect(sampleLines(files, 0, '1')).toEqual([]);
  for (const seed of ['1', '2', '3']) expect(sampleLines(files, 1, seed)).toHaveLength(1);
});

test('the same seed picks the same lines, and other seeds pick others', () => {
  const large = [{ file: 'a.ts', lines: 1_200 }];
  expect(sampleLines(large, 120, '7')).toEqual(sampleLines(large, 120, '7'));
  expect(sampleLines(large, 120, '7')).not.toEqual(sampleLines(large, 120, '8'));
});

test('a file that grows moves no stretch of another', () => {
  const inB = (lines: number) => {
    const all = [
      { file: 'a.ts', lines },
      { file: 'b.ts', lines: 1_200 },
    ];
    return sampleLines(all, 600, '1').filter((range) => range.startsWith('b.ts'));
  };
  expect(inB(24).length).toBeGreaterThan(0);
  expect(inB(24)).toEqual(expect.arrayContaining(inB(240)));
});
