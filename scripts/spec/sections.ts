import { listOperations, type Spec } from './model.ts';
import { listRules } from './rules.ts';
import { findUses, pointerOf } from './uses.ts';

/** Splits a source into its sections: `1 §2, §4` becomes `1 §2` and `1 §4`. */
export function sectionsOfSource(source: string | undefined): string[] {
  let document = '';
  return [...(source ?? '').matchAll(/(?:(\d+) )?§(\d+)/g)].map(([, number, section]) => {
    document = number ?? document;
    return `${document} §${section}`;
  });
}

/** Every section of a spec's document. Section 0 is the introduction. */
export function sectionsOfDocument({ openapi }: Pick<Spec, 'openapi'>): string[] {
  const { number, sections } = openapi.info['x-document'];
  return Array.from({ length: sections + 1 }, (_, section) => `${number} §${section}`);
}

/** Orders by document, then by section number. */
function compareSections(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/**
 * Returns a function that finds the sections of a place in a spec, from the operation, component or rule that contains
 * it. A shared part without sections uses those of its operations. Other places have no sections.
 */
export function sectionFinder(spec: Spec): (place: string) => string[] {
  const uses = findUses(spec);
  const operations = new Map(listOperations(spec).map((operation) => [operation.key, operation.operation]));
  const rules = new Map(listRules(spec).map(({ id, source }) => [`rule:${id}`, sectionsOfSource(source)]));
  return (place) => {
    if (place.startsWith('rule:')) return rules.get(place) ?? [];
    const [part = '', name = '', third = ''] = place
      .split('/')
      .slice(1, 4)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const operation = part === 'paths' ? operations.get(`${third.toUpperCase()} ${name}`) : undefined;
    if (operation) return sectionsOfSource(operation['x-source']);
    const own = part === 'components' && name === 'schemas' ? spec.openapi.components.schemas[third] : undefined;
    if (own?.['x-source']) return sectionsOfSource(own['x-source']);
    const users = uses.get(pointerOf([part, name, third])) ?? [];
    return [...new Set(users.flatMap((user) => sectionsOfSource(user.operation['x-source'])))].sort(compareSections);
  };
}
