import { expect, test } from 'vitest';
import { modelSpec } from '../../../scripts/generate/operation-model.ts';
import { generateReport } from '../../../scripts/generate/spec-report.ts';
import { judgeReports } from '../../../scripts/release/methods.ts';
import type { Verdict } from '../../../scripts/release/verdict.ts';
import type { Spec } from '../../../scripts/spec/model.ts';
import type { Mutation } from './spec-changes.ts';
import { drawMutations, mutate, originals } from './spec-mutations.ts';

const report = (spec: Spec): string => generateReport(modelSpec(spec));
const before = new Map(originals.map((spec) => [spec.name, report(spec)]));

function judge(mutation: Mutation): Verdict[] {
  return judgeReports(mutation.spec, before.get(mutation.spec) ?? '', report(mutate(mutation)));
}

const drawn = drawMutations(4);
const breaking = drawn.filter(({ breaks }) => breaks);
const harmless = drawn.filter(({ breaks }) => !breaks);

test('the classes of mutations have about 120 breaks and 100 harmless changes of methods and data', () => {
  expect(breaking.flatMap(({ mutations }) => mutations).length).toBeGreaterThan(110);
  expect(harmless.flatMap(({ mutations }) => mutations).length).toBeGreaterThan(90);
  expect(drawn.filter(({ mutations }) => mutations.length === 0)).toEqual([]);
});

test.each(breaking)('$name: a break of the methods, at its place', ({ mutations }) => {
  for (const mutation of mutations) {
    const breaks = judge(mutation).filter(({ impact }) => impact === 'break');
    expect(breaks.map(({ place }) => place)).toContainEqual(expect.stringContaining(mutation.place));
    expect(breaks.every(({ sentence }) => /^[A-Z`].*[.]$/.test(sentence))).toBe(true);
  }
});

test.each(harmless)('$name: no break of the methods', ({ mutations }) => {
  const broken = mutations.flatMap(judge).filter(({ impact }) => impact === 'break');
  expect(broken).toEqual([]);
});

test('no change has no verdict', () => {
  for (const [name, text] of before) expect(judgeReports(name, text, text)).toEqual([]);
});
