import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot, type SpecName, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, lookUp, type Spec } from '../../scripts/spec/model.ts';

interface Row {
  line: number;
  section: string;
  name: string;
  places: string[];
}

const specs = new Map(specNames.map((name) => [name, loadSpec(name)]));
const ruleIds = new Set([...specs.values()].flatMap(rulesOf));

/** The rows of a table `| Document | Row | Place |`; its places are in backticks, separated by `<br>`. */
function readTable(text: string): Row[] {
  return text.split('\n').flatMap((row, index) => {
    if (!row.startsWith('|') || row.startsWith('|---') || row.startsWith('| Document |')) return [];
    const [, section = '', name = '', places = '', end, ...more] = row.split('|').map((cell) => cell.trim());
    if (end !== '' || more.length > 0) throw new Error(`Line ${index + 1} has not three cells: ${row}`);
    return [{ line: index + 1, section, name, places: places.split('<br>') }];
  });
}

/** Why a place does not exist; `undefined` if it exists. */
function problemOf(place: string, spec: Spec): string | undefined {
  const [, kind = '', rest = ''] = /^`(#|rule:|file:)(.+)`$/.exec(place) ?? [];
  if (kind === 'rule:') return ruleIds.has(rest) ? undefined : `there is no rule ${rest}`;
  const [file, pointer] = kind === 'file:' ? rest.split('#') : [spec.name, rest];
  const target = specNames.find((name) => name === file);
  if (kind === '' || !target || !pointer?.startsWith('/')) return `${place} is no place`;
  try {
    lookUp(specs.get(target)?.document ?? {}, `#${pointer}`);
    return undefined;
  } catch {
    return `nothing is at ${place}`;
  }
}

function problemsOf(text: string, spec: Spec): string[] {
  return readTable(text).flatMap(({ line, section, name, places }) => [
    ...(/^\d §\d+$/.test(section) && name ? [] : [`line ${line}: '${section}' '${name}' name no line of a document`]),
    ...places.flatMap((place) => problemOf(place, spec) ?? []).map((problem) => `line ${line}: ${problem}`),
  ]);
}

function rulesOf({ document, ...spec }: Spec): string[] {
  const operations = listOperations({ document, ...spec }).map(({ operation }) => operation);
  return [document.info, ...operations].flatMap((node) => (node['x-rules'] ?? []).map(({ id }) => id));
}

/** Operations and rules of a spec that no row leads to. */
function missingIn(text: string, spec: Spec): string[] {
  const places = readTable(text).flatMap((row) => row.places.map((place) => place.replaceAll('`', '')));
  const operations = listOperations(spec).filter(({ path, method }) => {
    const pointer = `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method.toLowerCase()}`;
    return !places.some((place) => place === pointer || place.startsWith(`${pointer}/`));
  });
  return [
    ...operations.map(({ key }) => key),
    ...rulesOf(spec)
      .map((id) => `rule:${id}`)
      .filter((place) => !places.includes(place)),
  ];
}

function readCoverage(name: SpecName): string {
  return readFileSync(join(repositoryRoot, 'spec', 'coverage', `${name}.md`), 'utf8');
}

for (const spec of specs.values()) {
  describe(`the coverage table of ${spec.name}`, () => {
    const text = readCoverage(spec.name);

    it('names a place for every line, and each place is there', () => {
      expect(readTable(text).length).toBeGreaterThan(listOperations(spec).length);
      expect(problemsOf(text, spec)).toEqual([]);
    });

    it('leads to every operation and every rule', () => {
      expect(missingIn(text, spec)).toEqual([]);
    });
  });
}

describe('the check of a coverage table', () => {
  const spec = loadSpec('crm');
  const [operation] = listOperations(spec);

  it('reports the line and the cause of a place that does not exist', () => {
    const table = [
      '| 1 §1 | a pointer | `#/paths/~1nowhere` |',
      '| 1 §1 | a rule | `rule:no-such-rule` |',
      '| 1 §1 | a file | `file:push#/info` |',
      '| 1 §1 | nothing |  |',
      '| section 1 | a section | `#/info` |',
    ].join('\n');
    expect(problemsOf(table, spec)).toEqual([
      'line 1: nothing is at `#/paths/~1nowhere`',
      'line 2: there is no rule no-such-rule',
      'line 3: `file:push#/info` is no place',
      'line 4:  is no place',
      "line 5: 'section 1' 'a section' name no line of a document",
    ]);
  });

  it('misses what no row leads to', () => {
    expect(missingIn('', spec)).toContain(operation?.key);
    expect(missingIn('', spec)).toContain(`rule:${rulesOf(spec)[0]}`);
  });
});
