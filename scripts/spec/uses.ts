import { listOperations, lookUp, type Spec, type SpecOperation } from './model.ts';
import { walk } from './walk.ts';

/** The operations that use a component, directly or through others, by the component's pointer. */
export function findUses(spec: Spec): Map<string, SpecOperation[]> {
  const uses = new Map<string, SpecOperation[]>();
  for (const operation of listOperations(spec)) {
    const seen = new Set<string>();
    const visit = (node: unknown): void =>
      walk(node, ({ $ref: reference }) => {
        if (typeof reference !== 'string' || seen.has(reference)) return;
        seen.add(reference);
        visit(lookUp(spec.openapi, reference));
      });
    const shared = spec.openapi.paths[operation.path]?.parameters;
    visit([operation.operation, shared ?? []]);
    for (const pointer of seen) uses.set(pointer, [...(uses.get(pointer) ?? []), operation]);
  }
  return uses;
}

/** The path of a node as a reference: `#/components/schemas/Deal`. */
export function pointerOf(path: readonly string[]): string {
  return `#/${path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
}
