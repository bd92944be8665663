import type { Node, Report } from './report.ts';

/** Side of a call that a schema describes. The same change can break one direction and be harmless in the other. */
export type Direction = 'request' | 'reply';

/** The methods whose requests or replies contain a component, directly or through others. */
export type Uses = Record<Direction, Set<string>>;

/** Uses of every `schema X` and `response X` of a report. */
export function findUses(report: Report): Map<string, Uses> {
  const uses = new Map<string, Uses>();
  const visit = (component: string, direction: Direction, method: string): void => {
    const found = uses.get(component) ?? { request: new Set(), reply: new Set() };
    uses.set(component, found);
    if (found[direction].has(method)) return;
    found[direction].add(method);
    const [kind, name = ''] = component.split(' ');
    const schema = report.schemas.get(name);
    const nodes = kind === 'response' ? [...(report.responses.get(name)?.values() ?? [])] : schema ? [schema] : [];
    for (const reference of nodes.flatMap(referencesOf)) visit(`schema ${reference}`, direction, method);
  };
  for (const { place, places, facts } of report.operations.values()) {
    for (const [name, node] of places) {
      const direction = name.startsWith('reply ') ? 'reply' : 'request';
      for (const reference of referencesOf(node)) visit(`schema ${reference}`, direction, place);
    }
    for (const { kind, value } of facts.values()) {
      if (kind === 'status' && value) visit(`response ${referenceOf(value)}`, 'reply', place);
    }
  }
  return uses;
}

/** `-> Error` → `Error`. */
export function referenceOf(value: string): string {
  return value.replace(/^-> /, '');
}

function referencesOf(node: Node): string[] {
  const inConditions = [...node.conditions.values()].flatMap((json) =>
    [...json.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name),
  );
  const below = [...node.children.values(), ...[...node.branches.values()].flat()];
  return [...(node.reference ? [node.reference] : []), ...inConditions, ...below.flatMap(referencesOf)];
}
