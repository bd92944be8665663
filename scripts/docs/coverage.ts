import type { CoverageRow as TableRow } from '../spec/coverage-table.ts';
import { listOperations, type Spec } from '../spec/model.ts';
import { listRules } from '../spec/rules.ts';
import { parseSource, sectionFinder, sectionsOfDocument } from '../spec/sections.ts';
import { pointerOf } from '../spec/uses.ts';
import { validationKeywords } from '../spec/validation-keywords.ts';
import { walk } from '../spec/walk.ts';

/** Kinds of items that the page counts, in the order of its columns. */
export const kinds = ['operations', 'fields', 'limits', 'values', 'rules', 'errors'] as const;
export type Kind = (typeof kinds)[number];

/** Keywords that count as limits. */
export const limitKeywords = [...validationKeywords, 'enum', 'const', 'default', 'if', 'not'] as const;

/** An item of a spec and its source sections. */
export interface Item {
  kind: Kind;
  /** Its place in the spec. */
  pointer: string;
  sections: string[];
}

/** Facts of the specs from one section of a document. */
export interface SectionCoverage {
  section: string;
  counts: Record<Kind, number>;
  /** Elements whose source names the section, then the rows of the table. */
  rows: CoverageRow[];
}

/** Places in the specs under one name: an element with its fields and errors, or a line of the document. */
export type CoverageRow = Pick<TableRow, 'section' | 'name' | 'places'>;

/** Every operation, field, limit, enum value, rule and error of a spec, each once. */
export function listItems(spec: Spec): Item[] {
  const items: Item[] = [];
  const sectionsAt = sectionFinder(spec);
  const add = (kind: Kind, pointer: string): void => {
    items.push({ kind, pointer, sections: sectionsAt(pointer) });
  };
  for (const operation of listOperations(spec)) {
    const path = ['paths', operation.path, operation.method.toLowerCase()];
    add('operations', pointerOf(path));
    for (const code of Object.keys(operation.operation['x-errors'] ?? {}))
      add('errors', pointerOf([...path, 'x-errors', code]));
    for (const status of Object.keys(operation.operation.responses).filter((key) => /^[45]/.test(key)))
      add('errors', pointerOf([...path, 'responses', status]));
  }
  walk(spec.document, (node, path) => {
    // The fields of a condition repeat fields of the schema.
    if (path.some((part, index) => isCondition(part) && path[index - 1] !== 'properties')) return;
    // Servers are not part of a request or reply.
    if (path[0] === 'servers' || path[3] === 'servers') return;
    if (isField(node, path)) add('fields', pointerOf(path));
    for (const keyword of limitKeywords)
      if (keyword in node && path.at(-1) !== 'properties') add('limits', pointerOf([...path, keyword]));
    for (const index of Array.isArray(node.enum) ? node.enum.keys() : [])
      add('values', pointerOf([...path, 'enum', String(index)]));
  });
  for (const { id } of listRules(spec)) add('rules', `rule:${id}`);
  return items;
}

/** The sections of a spec's document, each with its items and the place of each line. */
export function coverSections(spec: Spec, items: readonly Item[], table: readonly TableRow[]): SectionCoverage[] {
  const rows = [...listElements(spec, items), ...table];
  return sectionsOfDocument(spec).map((section) => {
    const count = (kind: Kind): number =>
      items.filter((item) => item.kind === kind && item.sections.includes(section)).length;
    const counts = {
      operations: count('operations'),
      fields: count('fields'),
      limits: count('limits'),
      values: count('values'),
      rules: count('rules'),
      errors: count('errors'),
    };
    return { section, counts, rows: rows.filter((row) => row.section === section) };
  });
}

/** The operations, schemas and rules of a spec by the sections of their sources. */
function listElements(spec: Spec, items: readonly Item[]): CoverageRow[] {
  const parts = items.filter(({ kind }) => kind === 'fields' || kind === 'errors').map(({ pointer }) => pointer);
  const rowsOf = (name: string, place: string, source: string | undefined): CoverageRow[] => {
    const places = [place, ...parts.filter((pointer) => pointer.startsWith(`${place}/`))];
    return parseSource(source).map((section) => ({ section, name, places }));
  };
  return [
    ...listOperations(spec).flatMap(({ path, method, operation }) =>
      rowsOf(operation.summary, pointerOf(['paths', path, method.toLowerCase()]), operation['x-source']),
    ),
    ...Object.entries(spec.document.components.schemas).flatMap(([name, schema]) =>
      rowsOf(name, pointerOf(['components', 'schemas', name]), schema['x-source']),
    ),
    ...listRules(spec).flatMap(({ id, source }) => rowsOf(`Rule ${id}`, `rule:${id}`, source)),
  ];
}

function isCondition(part: string): boolean {
  return part === 'if' || part === 'then' || part === 'not';
}

/** A property of a schema, or a parameter. */
function isField(node: Record<string, unknown>, path: string[]): boolean {
  return path.at(-2) === 'properties' || (typeof node.name === 'string' && typeof node.in === 'string');
}
