import { describe, expect, it } from 'vitest';
import { absenceTable, findPresent, isAt, readAbsences } from '../../../scripts/spec/absences.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { sectionsOfDocument } from '../../../scripts/spec/sections.ts';
import { findMethod } from '../../../src/cli/catalogue/index.ts';

const specs = specNames.map((name) => loadSpec(name));
const operations = specs.flatMap((spec) => listOperations(spec));
const absences = readAbsences();
const cases = absences.map((absence) => [absence.id, absence] as const);

describe.each(cases)('the absence %s', (_, absence) => {
  it('is not an operation of the specs', () => {
    expect(findPresent(absence, operations).map(({ key }) => key)).toEqual([]);
  });

  it('names paths of the specs, so that a renamed path is noticed', () => {
    const paths = absence.lacks.flatMap((lack) => ('path' in lack ? [lack.path] : []));
    expect(paths.filter((name) => !operations.some(({ path }) => isAt(name, path)))).toEqual([]);
  });

  it('names sections of its documents', () => {
    const sections = specs.flatMap((spec) => sectionsOfDocument(spec));
    // `2 §3, §4` → `2 §3`, `2 §4`
    const named = absence.sources.flatMap((source) =>
      (source.match(/§\d+/g) ?? []).map((part) => `${source[0]} ${part}`),
    );
    expect(named.filter((section) => !sections.includes(section))).toEqual([]);
  });

  it('suggests methods that exist', () => {
    const named = [
      ...`${absence.why} ${absence.instead}`.matchAll(new RegExp(`\`((?:${specNames.join('|')})\\.[\\w.]+)\``, 'g')),
    ];
    expect(named.map(([, name = '']) => name).filter((name) => !findMethod(name))).toEqual([]);
  });
});

it('there are ten to twenty-five, few enough for a reader', () => {
  expect(absences.length).toBeGreaterThanOrEqual(10);
  expect(absences.length).toBeLessThanOrEqual(25);
});

it('a wrong absence is found by the existing operation', () => {
  const keys = (lacks: Parameters<typeof findPresent>[0]['lacks']): string[] =>
    findPresent({ lacks }, operations).map(({ key }) => key);
  expect(keys([{ path: '/boards', methods: ['POST'] }])).toEqual(['POST /boards']);
  expect(keys([{ path: '/boards*', methods: ['GET'] }])).toEqual(['GET /boards', 'GET /boards/{boardId}']);
  expect(keys([{ words: ['blacklist'] }]).length).toBeGreaterThan(2);
});

it('a path with a * includes paths below it, but not paths with the same prefix', () => {
  expect([isAt('/msgr*', '/msgr'), isAt('/msgr*', '/msgr/task'), isAt('/msgr*', '/msgr-service')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([isAt('/msgr', '/msgr/task'), isAt('/msgr', '/msgr')]).toEqual([false, true]);
});

it('an entry without advice, or with an unknown field, is refused', () => {
  const [{ id: _, ...entry } = { id: '' }] = absences;
  expect(absenceTable.safeParse({ one: entry }).success).toBe(true);
  expect(absenceTable.safeParse({ one: { ...entry, instead: '' } }).success).toBe(false);
  expect(absenceTable.safeParse({ one: { ...entry, avdice: 'Ask.' } }).success).toBe(false);
});
