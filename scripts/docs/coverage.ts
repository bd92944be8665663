import { listOperations, type Spec, type SpecOperation } from '../spec/model.ts';
import { listRules } from '../spec/rules.ts';
import { validationKeywords } from '../spec/validation-keywords.ts';
import { type CoverageRow, compareSections, parseSource } from './coverage-table.ts';
import { findUses, pointerOf } from './coverage-uses.ts';
import { walk } from './walk.ts';

/** Kinds of item that the page counts, in the order of its columns. */
export const kinds = ['operations', 'fields', 'limits', 'values', 'rules', 'errors'] as const;
export type Kind = (typeof kinds)[number];

/** Keywords that count as limits. */
export const limitKeywords = [...validationKeywords, 'enum', 'const', 'default', 'if', 'not'] as const;

/** An item of a spec and the sections that it comes from. */
export interface Item {
  kind: Kind;
  /** Its place in the spec. */
  pointer: string;
  sections: string[];
  /** The section that it is counted in. */
  home: string;
}

export interface SectionCoverage {
  section: string;
  /** Number of items counted here, and number of further items of this section that are counted elsewhere. */
  counts: Record<Kind, { here: number; elsewhere: number }>;
  rows: CoverageRow[];
}

/** Every operation, field, limit, enum value, rule and error of a spec, each once. */
export function listItems(spec: Spec, rows: readonly CoverageRow[]): Item[] {
  const items: Omit<Item, 'home'>[] = [];
  const sectionsAt = sectionFinder(spec);
  for (const operation of listOperations(spec)) {
    const path = ['paths', operation.path, operation.method.toLowerCase()];
    const sections = parseSource(operation.operation['x-source']);
    items.push({ kind: 'operations', pointer: pointerOf(path), sections });
    const codes = Object.keys(operation.operation['x-errors'] ?? {}).map((code) => ['x-errors', code]);
    const statuses = Object.keys(operation.operation.responses).flatMap((status) =>
      /^[45]/.test(status) ? [['responses', status]] : [],
    );
    for (const error of [...codes, ...statuses]) {
      items.push({ kind: 'errors', pointer: pointerOf([...path, ...error]), sections });
    }
  }
  walk(spec.document, (node, path) => {
    // The fields of a condition repeat fields of the schema.
    if (path.some((part, index) => isCondition(part) && path[index - 1] !== 'properties')) return;
    // A server is not part of a request or reply.
    if (path[0] === 'servers' || path[3] === 'servers') return;
    const sections = (): string[] => sectionsAt(path);
    if (isField(node, path)) items.push({ kind: 'fields', pointer: pointerOf(path), sections: sections() });
    for (const keyword of limitKeywords) {
      if (!(keyword in node) || path.at(-1) === 'properties') continue;
      items.push({ kind: 'limits', pointer: pointerOf([...path, keyword]), sections: sections() });
    }
    for (const index of Array.isArray(node.enum) ? node.enum.keys() : []) {
      items.push({ kind: 'values', pointer: pointerOf([...path, 'enum', String(index)]), sections: sections() });
    }
  });
  for (const { id, source } of listRules(spec)) {
    items.push({ kind: 'rules', pointer: `rule:${id}`, sections: parseSource(source) });
  }
  const errors = items.filter(({ kind }) => kind === 'errors');
  const homeOf = homeFinder(rows, new Set(errors.map(({ pointer }) => pointer)));
  return items.map((item) => ({ ...item, home: homeOf(item) }));
}

/** The items of a spec by section, with the rows of its document. */
export function coverSections(items: readonly Item[], rows: readonly CoverageRow[]): SectionCoverage[] {
  const sections = new Set([...rows.map(({ section }) => section), ...items.flatMap((item) => item.sections)]);
  return [...sections].sort(compareSections).map((section) => {
    const count = (kind: Kind): { here: number; elsewhere: number } => {
      const stated = items.filter((item) => item.kind === kind && item.sections.includes(section));
      const here = stated.filter(({ home }) => home === section).length;
      return { here, elsewhere: stated.length - here };
    };
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

function isCondition(part: string): boolean {
  return part === 'if' || part === 'then' || part === 'not';
}

/** A property of a schema, or a parameter. */
function isField(node: Record<string, unknown>, path: string[]): boolean {
  return path.at(-2) === 'properties' || (typeof node.name === 'string' && typeof node.in === 'string');
}

/** Sections of the nearest operation or component. A shared part without any has those of the operations that use it. */
function sectionFinder(spec: Spec): (path: string[]) => string[] {
  const uses = findUses(spec);
  const byKey = new Map(listOperations(spec).map((operation) => [operation.key, operation]));
  return ([part = '', name = '', third = '']) => {
    const operation = part === 'paths' ? byKey.get(`${third.toUpperCase()} ${name}`) : undefined;
    if (operation) return parseSource(operation.operation['x-source']);
    const own = part === 'components' && name === 'schemas' ? spec.document.components.schemas[third] : undefined;
    if (own?.['x-source']) return parseSource(own['x-source']);
    const users: SpecOperation[] = uses.get(pointerOf([part, name, third])) ?? [];
    return [...new Set(users.flatMap((user) => parseSource(user.operation['x-source'])))].sort(compareSections);
  };
}

/**
 * The section of an item whose rows refer to the most places in it, without its errors. If no row refers to it, the
 * surrounding item decides. Between equal sections, the earlier one.
 */
function homeFinder(rows: readonly CoverageRow[], errors: ReadonlySet<string>): (item: Omit<Item, 'home'>) => string {
  const tally = new Tally();
  for (const { section, places } of rows) {
    for (const place of places) {
      const around = lineage(place);
      const error = around.findIndex((pointer) => errors.has(pointer));
      for (const pointer of error < 0 ? around : around.slice(0, error + 1)) tally.add(pointer, section);
    }
  }
  return ({ pointer, sections }) => {
    for (const place of lineage(pointer)) {
      const [best] = sections
        .filter((section) => tally.count(place, section) > 0)
        .sort((one, other) => tally.count(place, other) - tally.count(place, one) || compareSections(one, other));
      if (best) return best;
    }
    return sections[0] ?? '';
  };
}

/** How often the rows of each section refer to each place. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(place: string, section: string): void {
    this.#counts.set(`${section} ${place}`, this.count(place, section) + 1);
  }

  count(place: string, section: string): number {
    return this.#counts.get(`${section} ${place}`) ?? 0;
  }
}

/** A pointer and all its ancestors, starting with the pointer itself. */
function lineage(pointer: string): string[] {
  const parts = pointer.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
