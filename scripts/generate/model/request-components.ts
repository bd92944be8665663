import { resolve, type Spec, type SpecOperation } from '../../spec/model.ts';
import type { OpenApi } from '../../spec/schema.ts';

/** Names of the components that only requests contain. */
export function requestComponents(spec: Spec, operations: readonly SpecOperation[]): ReadonlySet<string> {
  const sent = referencesFrom(
    spec.openapi,
    operations.map(({ body, parameters }) => [body?.schema, parameters]),
  );
  const received = referencesFrom(
    spec.openapi,
    operations.flatMap(({ operation }) =>
      Object.values(operation.responses).map((response) => resolve(spec.openapi, response).content),
    ),
  );
  return new Set([...sent].filter((name) => !received.has(name)));
}

/** Names of the component schemas that are reachable from a node. */
function referencesFrom(openapi: OpenApi, node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found;
  for (const [key, value] of Object.entries(node)) {
    // Examples are data, so they contain no references.
    if (key === 'examples') continue;
    const [, name] = key === '$ref' ? (/^#\/components\/schemas\/(.+)$/.exec(String(value)) ?? []) : [];
    if (name === undefined) referencesFrom(openapi, value, found);
    else if (!found.has(name)) {
      found.add(name);
      referencesFrom(openapi, openapi.components.schemas[name], found);
    }
  }
  return found;
}
