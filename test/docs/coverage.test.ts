import { beforeAll, describe, expect, it } from 'vitest';
import { coverSections, type Item, kinds, listItems } from '../../scripts/docs/coverage.ts';
import { evidenceFinder } from '../../scripts/docs/coverage-evidence.ts';
import { renderCoveragePage } from '../../scripts/docs/coverage-page.ts';
import { placeFinder } from '../../scripts/docs/coverage-places.ts';
import {
  compareSections,
  parseCoverageTable,
  parseSource,
  readCoverageTable,
} from '../../scripts/docs/coverage-table.ts';
import { anchorOf } from '../../scripts/docs/open-points.ts';
import { pageOf } from '../../scripts/docs/site.ts';
import { sampleLanguages } from '../../scripts/samples/languages.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, lookUp } from '../../scripts/spec/model.ts';
import { listRules } from '../../scripts/spec/rules.ts';

const references = specNames.map((name) => {
  const spec = loadSpec(name);
  return { spec, page: pageOf(name), operations: listOperations(spec), openGroups: [] };
});

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Every property of every schema, found without knowing where schemas are; conditions repeat properties. */
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
  const rows = readCoverageTable(spec.name);
  const items = listItems(spec, rows);
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

  it('finds each thing where its pointer says', () => {
    for (const { pointer, kind } of items) {
      if (kind !== 'rules') expect(lookUp(spec.document, pointer)).not.toBeUndefined();
    }
  });

  it('counts each in one of the sections that state it, and the sections add up', () => {
    for (const { home, sections, pointer } of items) expect(sections, pointer).toContain(home);
    const sections = coverSections(items, rows);
    for (const kind of kinds) {
      const sum = sections.reduce((total, { counts }) => total + counts[kind].here, 0);
      expect(sum, kind).toBe(of(kind).length);
    }
    expect(sections.reduce((total, section) => total + section.rows.length, 0)).toBe(rows.length);
    expect(sections.map(({ section }) => section)).toEqual(
      sections.map(({ section }) => section).sort(compareSections),
    );
  });

  it('leads from every row to a page, and to the operation where a place is in one', () => {
    const find = placeFinder(references, spec.name);
    const anchors = references.flatMap(({ page, operations: all }) => all.map((one) => page.file + anchorOf(one)));
    const files = references.map(({ page }) => page.file);
    for (const place of rows.flatMap((row) => row.places)) {
      const { href, text } = find(place);
      expect([...anchors, ...files, `rules.html#${spec.name}`], place).toContain(href);
      expect(text).not.toBe('');
      if (/^#\/paths\//.test(place)) expect(anchors, place).toContain(href);
    }
  });

  it('finds a method, a handler of the sandbox and samples for every operation', () => {
    const evidence = evidenceFinder(new Map([['a.test.ts', `await api.${spec.name}.nothing.here();`]]));
    for (const operation of operations) {
      const { method, sandbox, samples, tests } = evidence(operation);
      expect(method, operation.operationId).toMatch(new RegExp(`^${spec.name}\\.`));
      expect({ sandbox, tests }).toEqual({ sandbox: true, tests: [] });
      expect(samples).toEqual(sampleLanguages.map(({ label }) => label));
    }
  });
});

describe('what has no method', () => {
  const [{ operations: [operation] = [] } = {}] = references;
  if (!operation) throw new Error('A spec without operations');

  it('is shown as such, and a test that calls a method is found by its name', () => {
    const renamed = { ...operation, operation: { ...operation.operation, 'x-sdk': 'users.nothing' } };
    const evidence = evidenceFinder(new Map([['a.test.ts', 'await api.crm.users.nothing();']]));
    expect(evidence(renamed)).toMatchObject({ method: undefined, tests: ['a.test.ts'] });
  });
});

describe('the home of a thing', () => {
  const [{ spec, operations: [operation] = [] } = {}] = references;
  if (!spec || !operation) throw new Error('A spec without operations');
  const pointer = `#/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}`;
  const homeWith = (...rows: [string, string][]): string | undefined =>
    listItems(
      spec,
      rows.map(([section, place]) => ({ section, name: 'a row', places: [place] })),
    ).find((item) => item.pointer === pointer)?.home;
  const [first = '', second = ''] = parseSource(operation.operation['x-source']);

  it('is the section with most rows, the earlier of two, and never one that does not state it', () => {
    expect(homeWith([second, pointer], [second, `${pointer}/responses/200`], [first, pointer])).toBe(second);
    expect(homeWith([second, pointer], [first, pointer])).toBe(first);
    expect(homeWith(['1 §6', pointer], ['1 §6', pointer])).toBe(first);
    expect(homeWith([second, '#/paths'])).toBe(second);
  });
});

describe('sources and tables', () => {
  it('are read in full', () => {
    expect(parseSource('1 §2, §4')).toEqual(['1 §2', '1 §4']);
    expect(parseSource('1 §2, 3 §10')).toEqual(['1 §2', '3 §10']);
    expect(parseSource(undefined)).toEqual([]);
    expect(['3 §10', '3 §9', '1 §2'].sort(compareSections)).toEqual(['1 §2', '3 §9', '3 §10']);
    const table = '| Document | Row | Place |\n|---|---|---|\n| 1 §0 | title | `#/info/title`<br>`rule:a-b` |';
    expect(parseCoverageTable(table)).toEqual([
      { section: '1 §0', name: 'title', places: ['#/info/title', 'rule:a-b'] },
    ]);
  });
});

describe('the coverage page', () => {
  let page = '';
  beforeAll(() => {
    page = renderCoveragePage(references, []);
  });

  it('has every section, every operation and every row', () => {
    for (const { spec, operations } of references) {
      for (const operation of operations) expect(page).toContain(`${pageOf(spec.name).file}${anchorOf(operation)}`);
      expect(
        page.match(new RegExp(`<a href="#section-${parseSource(operations[0]?.operation['x-source'])[0]?.[0]}-`, 'g'))
          ?.length,
      ).toBe(new Set(readCoverageTable(spec.name).map(({ section }) => section)).size);
    }
    const total = references.reduce((sum, { spec }) => sum + readCoverageTable(spec.name).length, 0);
    expect(page).toContain(`<td data-label="Rows">${total}</td>`);
  });

  it('has an anchor for every link on itself', () => {
    const targets = [...page.matchAll(/href="#([^"/]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(20);
    for (const id of targets) expect(page).toContain(`id="${id}"`);
  });
});
