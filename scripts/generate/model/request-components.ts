import { resolve, type Spec, type SpecOperation } from '../../spec/model.ts';
import type { SpecDocument } from '../../spec/schema.ts';

/** Names of the components that only requests contain. */
export function requestComponents(spec: Spec, operations: readonly SpecOperation[]): ReadonlySet<string> {
  const sent = referencesFrom(
    spec.document,
    operations.map(({ body, parameters }) => [body?.schema, parameters]),
  );
  const received = referencesFrom(
    spec.document,
    operations.flatMap(({ operation }) =>
      Object.values(operation.responses).map((response) => resolve(spec.document, response).content),
    ),
  );
  return new Set([...sent].filter((name) => !received.has(name)));
}

/** Names of the component schemas that are reachable from a node. */
function referencesFrom(document: SpecDocument, node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  for (const [key, value] of Object.entries(node)) {
    // Examples are data, so they contain no references.
    if (key === 'examples') continue;
    const [, name] = key === '$ref' ? (/^#\/components\/schemas\/(.+)$/.exec(String(value)) ?? []) : [];
    if (name === undefined) referencesFrom(document, value, found);
    else if (!found.has(name)) {
      found.add(name);
      referencesFrom(document, document.components.schemas[name], found);
    }
  }
  return found;
}
