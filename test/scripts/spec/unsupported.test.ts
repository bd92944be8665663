import { describe, expect, it } from 'vitest';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { sectionsOfDocument } from '../../../scripts/spec/sections.ts';
import { findPresent, isAt, readUnsupported, unsupportedTable } from '../../../scripts/spec/unsupported.ts';
import { findMethod } from '../../../src/cli/catalogue/index.ts';

const specs = specNames.map((name) => loadSpec(name));
const operations = specs.flatMap((spec) => listOperations(spec));
const tasks = readUnsupported();
const cases = tasks.map((task) => [task.id, task] as const);

describe.each(cases)('the unsupported task %s', (_, task) => {
  it('is not an operation of the specs', () => {
    expect(findPresent(task, operations).map(({ key }) => key)).toEqual([]);
  });

  it('names paths of the specs, so that a renamed path is noticed', () => {
    const paths = task.lacks.flatMap((lack) => ('path' in lack ? [lack.path] : []));
    expect(paths.filter((name) => !operations.some(({ path }) => isAt(name, path)))).toEqual([]);
  });

  it('names sections of its documents', () => {
    const sections = specs.flatMap((spec) => sectionsOfDocument(spec));
    // `2 §3, §4` → `2 §3`, `2 §4`
    const named = task.sources.flatMap((source) => (source.match(/§\d+/g) ?? []).map((part) => `${source[0]} ${part}`));
    expect(named.filter((section) => !sections.includes(section))).toEqual([]);
  });

  it('suggests methods that exist', () => {
    const named = [
      ...`${task.why} ${task.instead}`.matchAll(new RegExp(`\`((?:${specNames.join('|')})\\.[\\w.]+)\``, 'g')),
    ];
    expect(named.map(([, name = '']) => name).filter((name) => !findMethod(name))).toEqual([]);
  });
});

it('there are ten to twenty-five, few enough for a reader', () => {
  expect(tasks.length).toBeGreaterThanOrEqual(10);
  expect(tasks.length).toBeLessThanOrEqual(25);
});

it('the test finds an operation that a task claims to lack', () => {
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

it('an entry without advice, or with an unknown field, is invalid', () => {
  const [{ id: _, ...entry } = { id: '' }] = tasks;
  expect(unsupportedTable.safeParse({ one: entry }).success).toBe(true);
  expect(unsupportedTable.safeParse({ one: { ...entry, instead: '' } }).success).toBe(false);
  expect(unsupportedTable.safeParse({ one: { ...entry, avdice: 'Ask.' } }).success).toBe(false);
});
