import { type Gap, readGaps } from './extensions.ts';
import type { SpecName } from './files.ts';
import { listOperations, lookUp, type Spec, type SpecOperation } from './model.ts';
import { findUses, pointerOf } from './uses.ts';
import { walk } from './walk.ts';

/** The gaps of an operation, a component, or a whole document. */
export interface GapGroup {
  spec: SpecName;
  title: string;
  /** Anchor on the page of gaps: an operation's id, or the spec and a component's name. */
  id: string;
  /** The operation, or the first one that uses the component. */
  operation?: SpecOperation;
  /** Pointer to the component: `#/components/schemas/Deal`. */
  pointer?: string;
  /** The most relevant sections of the document. */
  source?: string;
  gaps: (Gap & { place: string })[];
}

/** All gaps of a spec, grouped by document, operation or component. */
export function collectGaps(spec: Spec): GapGroup[] {
  const operations = new Map(listOperations(spec).map((operation) => [operation.key, operation]));
  const uses = findUses(spec);
  const groups = new Map<string, GapGroup>();
  walk(spec.openapi, (node, path) => {
    const gaps = readGaps(node, path);
    if (gaps.length === 0) return;
    const { depth, ...heading } = headingOf(spec, path, operations, uses);
    const group = groups.get(heading.title) ?? { spec: spec.name, ...heading, gaps: [] };
    groups.set(heading.title, group);
    const place = describePlace(spec, path, depth);
    group.gaps.push(...gaps.map((gap) => ({ ...gap, place })));
  });
  return [...groups.values()];
}

/** Title for the target of a path, and the length of the path up to it. */
function headingOf(
  { name: spec, openapi }: Spec,
  path: string[],
  operations: Map<string, SpecOperation>,
  uses: Map<string, SpecOperation[]>,
): Omit<GapGroup, 'spec' | 'gaps'> & { depth: number } {
  const [section = '', name = '', method = ''] = path;
  const operation = section === 'paths' ? operations.get(`${method.toUpperCase()} ${name}`) : undefined;
  if (operation) {
    const { summary, 'x-source': source } = operation.operation;
    return { title: summary, id: operation.operationId, operation, source, depth: 3 };
  }
  if (section === 'components') {
    const pointer = pointerOf(path.slice(0, 3));
    const [user] = uses.get(pointer) ?? [];
    const { 'x-source': source } = lookUp<{ 'x-source'?: string }>(openapi, pointer);
    return {
      title: method,
      id: `${spec}-${method}`,
      depth: 3,
      pointer,
      ...(user && { operation: user }),
      ...(source && { source }),
    };
  }
  return { title: 'The document as a whole', id: documentId(spec), depth: 1 };
}

/** Anchor of the gaps of a whole document. */
export function documentId(spec: SpecName): string {
  return `${spec}-document`;
}

/** Keywords of OpenAPI and JSON Schema that a reader does not need. */
const structure = new Set(['content', 'application/json', 'schema', 'properties', 'items', 'anyOf', 'oneOf', 'allOf']);

/** Names on the path from the heading to the gap: `response 200 › data › id`. */
function describePlace(spec: Spec, path: string[], depth: number): string {
  const names = path.slice(depth).flatMap((part, index, parts) => {
    const before = parts[index - 1];
    if (part === 'requestBody') return ['request'];
    if (part === 'parameters' || part === 'responses' || structure.has(part)) return [];
    if (before === 'responses') return [`response ${part}`];
    if (before === 'parameters') return [parameterName(spec, path.slice(0, depth + index + 1))];
    return before !== undefined && structure.has(before) && /^\d+$/.test(part) ? [] : [part];
  });
  return names.join(' › ');
}

function parameterName(spec: Spec, path: string[]): string {
  return `parameter ${lookUp<{ name?: string }>(spec.openapi, pointerOf(path)).name ?? ''}`;
}
