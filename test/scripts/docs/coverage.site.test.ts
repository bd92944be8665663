import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationPath, pagePaths, rulePath } from '../../../scripts/docs/addresses.ts';
import { coverSections, type Item, kinds, listItems } from '../../../scripts/docs/coverage.ts';
import { placeFinder } from '../../../scripts/docs/coverage-places.ts';
import { testCounter } from '../../../scripts/docs/coverage-tests.ts';
import { coveragePage } from '../../../scripts/docs/pages/coverage.ts';
import { readReference } from '../../../scripts/docs/reference.ts';
import { coveragePath, parseCoverageTable } from '../../../scripts/spec/coverage-table.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec, lookUp } from '../../../scripts/spec/model.ts';
import { listRules } from '../../../scripts/spec/rules.ts';
import { compareSections, parseSource, sectionsOfDocument } from '../../../scripts/spec/sections.ts';
import { describeSource } from '../../../scripts/spec/source.ts';

const references = specNames.map((name) => readReference(loadSpec(name)));

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Every property of every schema, found without knowledge of OpenAPI. Skips conditions, which repeat properties. */
function propertiesBelow(node: unknown, path: string[] = []): string[] {
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const isName = path.at(-1) === 'properties' && path.at(-2) !== 'properties';
    if (!isName && /^(?:x-|examples?$|if$|then$|not$|default$|servers$)/.test(key)) return [];
    const below = propertiesBelow(value, [...path, key]);
    return isName ? [[...path, key].join('/'), ...below] : below;
  });
}

describe.each(references)('the coverage of $spec.name', ({ spec, operations }) => {
  const table = parseCoverageTable(readFileSync(coveragePath(spec.name), 'utf8'));
  const items = listItems(spec);
  const sections = coverSections(spec, items, table);
  const of = (kind: Item['kind']): Item[] => items.filter((item) => item.kind === kind);

  it('counts every operation, every rule, every error code and every property once', () => {
    expect(of('operations')).toHaveLength(operations.length);
    const ids = listRules(spec).map(({ id }) => `rule:${id}`);
    expect(of('rules').map(({ pointer }) => pointer)).toEqual(ids);
    const codes = operations.flatMap(({ operation }) => Object.keys(operation['x-errors'] ?? {}));
    const counted = of('errors').filter(({ pointer }) => pointer.includes('/x-errors/'));
    expect(counted.map(({ pointer }) => pointer.split('/').at(-1))).toEqual(codes);

    const fields = of('fields').map(({ pointer }) => pointer);
    const properties = fields.filter((pointer) => pointer.split('/').at(-2) === 'properties');
    expect(properties).toHaveLength(propertiesBelow(spec.document).length);
    expect(new Set(items.map(({ pointer }) => pointer)).size).toBe(items.length);
    expect(fields.length).toBeGreaterThan(properties.length);
  });

  it('finds each item at its pointer', () => {
    for (const { pointer, kind } of items) {
      if (kind !== 'rules') expect(lookUp(spec.document, pointer)).not.toBeUndefined();
    }
  });

  it('counts each item in all of its source sections, and in no other', () => {
    for (const { sections: own, pointer } of items) expect(own, pointer).not.toEqual([]);
    expect(sections.map(({ section }) => section)).toEqual(sectionsOfDocument(spec));
    for (const kind of kinds) {
      const sum = sections.reduce((total, { counts }) => total + counts[kind], 0);
      expect(sum, kind).toBe(of(kind).flatMap((item) => item.sections).length);
    }
  });

  it("has a row for each operation, schema and rule in each of its sections, and the table's rows", () => {
    const rows = sections.flatMap((section) => section.rows);
    const sources = [
      ...operations.map(({ operation }) => operation['x-source']),
      ...Object.values(spec.document.components.schemas).map((schema) => schema['x-source']),
      ...listRules(spec).map(({ source }) => source),
    ];
    expect(rows).toHaveLength(sources.flatMap(parseSource).length + table.length);
    expect(rows).toEqual(expect.arrayContaining(table));
    const places = new Set(rows.flatMap((row) => row.places));
    for (const { pointer, kind } of items)
      if (kind === 'operations' || kind === 'rules' || kind === 'errors') expect(places).toContain(pointer);
  });

  it('links every row to a page, and to the operation if the place is in one', () => {
    const find = placeFinder(references, spec.name);
    const paths = references.flatMap(({ operations: all }) => all.map(operationPath));
    const rules = references.flatMap(({ spec: each }) => listRules(each).map(({ id }) => rulePath(id)));
    for (const place of sections.flatMap(({ rows }) => rows.flatMap((row) => row.places))) {
      const [, text, href] = /^\[([^\]]*)\]\(([^)]*)\)$/.exec(find(place)) ?? [];
      expect([...paths, ...rules, pagePaths.documents], place).toContain(href);
      expect(text).toMatch(/./);
      if (/^#\/paths\//.test(place)) expect(paths, place).toContain(href);
    }
  });
});

it('counts the tests that call a method by its full name', () => {
  const countTests = testCounter(['await api.crm.deals.create();', 'await api.crm.deals.createMany();']);
  expect(countTests('crm.deals.create')).toBe(1);
  expect(countTests('email.deals.create')).toBe(0);
});

describe('sources', () => {
  it('are read in full', () => {
    expect(parseSource('1 §2, §4')).toEqual(['1 §2', '1 §4']);
    expect(parseSource('1 §2, 3 §10')).toEqual(['1 §2', '3 §10']);
    expect(parseSource(undefined)).toEqual([]);
    expect(['3 §10', '3 §9', '1 §2'].sort(compareSections)).toEqual(['1 §2', '3 §9', '3 §10']);
  });
});

describe('the coverage page', () => {
  let body = '';
  beforeAll(() => {
    body = coveragePage(references).body;
  });

  it('has every section, every operation and every row', () => {
    for (const { spec, operations } of references) {
      for (const operation of operations) expect(body).toContain(`](${operationPath(operation)})`);
      for (const section of sectionsOfDocument(spec)) expect(body).toContain(`<summary>${describeSource(section)} (`);
      for (const { id } of listRules(spec)) expect(body).toContain(`Rule ${id}`);
    }
  });
});
