import { isRecord } from '../../src/shared/is-record.ts';

/** Keywords whose keys are names from the spec. A property named `example` is not an example. */
const nameMaps = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'paths',
  'responses',
  'schemas',
  'parameters',
  'requestBodies',
  'headers',
  'securitySchemes',
  'content',
  'variables',
]);

/** Keywords whose value is data, not a schema. */
const data = new Set(['example', 'examples', 'default', 'enum', 'const', 'mapping', 'required', 'scopes']);

type Visit = (node: Record<string, unknown>, path: string[]) => void;

/** Calls `visit` for every object of a spec, in order. Skips examples and extensions. */
export function walk(node: unknown, visit: Visit, path: string[] = [], namesOnly = false): void {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) walk(item, visit, [...path, String(index)]);
    return;
  }
  if (!isRecord(node)) return;
  if (!namesOnly) visit(node, path);
  for (const [key, child] of Object.entries(node)) {
    if (!namesOnly && (data.has(key) || key.startsWith('x-'))) continue;
    walk(child, visit, [...path, key], !namesOnly && nameMaps.has(key));
  }
}
