import { type CoverageRow, parseCoverageTable } from '../spec/coverage-table.ts';
import { listOperations, lookUp, type Spec } from '../spec/model.ts';
import { listRules } from '../spec/rules.ts';
import { sectionFinder, sectionsOfDocument, sectionsOfSource } from '../spec/sections.ts';
import { displayPath, type Finding } from './finding.ts';

/** A spec with its table of `spec/coverage/`. */
export interface CoveredSpec {
  spec: Spec;
  file: string;
  text: string;
}

/**
 * Checks that the sources of each spec and the rows of its table account for every section of its document, that the
 * section and places of each row exist, and that no row repeats a source.
 */
export function checkCoverage(covered: readonly CoveredSpec[]): Finding[] {
  const specs = new Map(covered.map(({ spec }) => [String(spec.name), { spec, sectionsAt: sectionFinder(spec) }]));
  return covered.flatMap(({ spec, file, text }) => {
    const sections = sectionsOfDocument(spec);
    const rows = parseCoverageTable(text);
    const known = new Set([...listSourced(spec), ...rows.map(({ section }) => section)]);
    const faults = [
      ...rows.flatMap((row) =>
        problemsOf(row, spec.name, sections, specs).map((message) => ({ line: row.line, message })),
      ),
      ...sections
        .filter((section) => !known.has(section))
        .map((section) => ({ line: 1, message: `no source or row names ${section}: add a row for each of its lines` })),
    ];
    return faults.map((fault) => ({ file: displayPath(file), column: 1, rule: 'coverage', ...fault }));
  });
}

/** The sections that operations, schemas and rules name as sources. */
function listSourced(spec: Spec): string[] {
  const sources = [
    ...listOperations(spec).map(({ operation }) => operation['x-source']),
    ...Object.values(spec.openapi.components.schemas).map((schema) => schema['x-source']),
    ...listRules(spec).map(({ source }) => source),
  ];
  return sources.flatMap(sectionsOfSource);
}

type SpecsByName = ReadonlyMap<string, { spec: Spec; sectionsAt: (place: string) => string[] }>;

function problemsOf(
  { section, name, places }: CoverageRow,
  own: string,
  sections: string[],
  specs: SpecsByName,
): string[] {
  if (!sections.includes(section))
    return [`there is no section '${section}': the document has ${sections[0]} to ${sections.at(-1)}`];
  if (name === '') return ['the row does not name a line of the document'];
  return places.flatMap((place) => {
    const [, other = own, rest = place] = /^file:(\w+)(#.*)$/.exec(place) ?? [];
    const target = specs.get(other);
    if (!target || !exists(rest, target.spec)) return [`there is no place '${place}'`];
    return target.sectionsAt(rest).includes(section) ? [`remove '${place}': its source already names ${section}`] : [];
  });
}

function exists(place: string, spec: Spec): boolean {
  if (place.startsWith('rule:')) return listRules(spec).some(({ id }) => `rule:${id}` === place);
  if (!place.startsWith('#/')) return false;
  try {
    lookUp(spec.openapi, place);
    return true;
  } catch {
    return false;
  }
}
