import { expect, test } from 'vitest';
import { interleave } from '../../scripts/bench/interleave.ts';
import { compare, isTie, type Summary, spread, summarize } from '../../scripts/bench/statistics.ts';

const summary = (median: number, low: number, high: number): Summary => ({ median, low, high, runs: 5 });

test.each([
  [[7], { median: 7, low: 7, high: 7, runs: 1 }],
  [[3, 1, 2], { median: 2, low: 1.5, high: 2.5, runs: 3 }],
  [[4, 1, 3, 2], { median: 2.5, low: 1.75, high: 3.25, runs: 4 }],
  [[1, 2, 3, 4, 1_000], { median: 3, low: 2, high: 4, runs: 5 }],
])('the summary of %j is its median and quartiles, and one outlier moves nothing', (values, expected) => {
  expect(summarize(values)).toEqual(expected);
});

test('numbers are sorted as numbers, and the list given does not change', () => {
  const values = [10, 9, 100];
  expect(summarize(values).median).toBe(10);
  expect(values).toEqual([10, 9, 100]);
});

test('nothing measured has no summary', () => {
  expect(() => summarize([])).toThrow(RangeError);
});

test.each([
  ['within the spread of the first', summary(10, 8, 12), summary(14, 14, 14), true],
  ['within the spread of the second', summary(14, 14, 14), summary(10, 8, 12), true],
  ['beyond both spreads', summary(10, 9, 11), summary(12.1, 12, 12.2), false],
  ['none, of exact figures', summary(5, 5, 5), summary(5, 5, 5), true],
  ['one, of exact figures', summary(5, 5, 5), summary(6, 6, 6), false],
])('a difference %s: tie is decided by it', (_, one, other, tie) => {
  expect(isTie(one, other)).toBe(tie);
  expect(isTie(other, one)).toBe(tie);
});

test('measured in turn, the ratio is that of each round, whatever the machine did in between', () => {
  expect(compare([11, 220, 33], [10, 200, 30])).toBeCloseTo(1.1);
  expect(compare([10, 20, 30, 40], [10])).toBe(2.5);
});

test('the spread is the distance between the quartiles', () => {
  expect(spread(summary(10, 8, 13))).toBe(5);
});

test('subjects are measured in turn, and each round begins with another one', async () => {
  const order: string[] = [];
  const measure = (name: string) => () => order.push(name);
  const samples = await interleave({ a: measure('a'), b: measure('b'), c: measure('c') }, 3);
  expect(order.join('')).toBe('abcbcacab');
  expect(samples).toEqual({ a: [1, 6, 8], b: [2, 4, 9], c: [3, 5, 7] });
});
