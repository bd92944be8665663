import { isScalar, visit } from 'yaml';
import { walk } from '../spec/rule-walk.ts';
import { displayPath, type Finding } from './finding.ts';
import { findingAt, position, type Source } from './source.ts';

/** Keys whose text leads to another place, and the keys inside `mapping`. Spectral and Redocly would open addresses and files. */
const leading = ['$ref', '$dynamicRef', 'operationRef', 'externalValue'];
const component = /^#\/components\/[A-Za-z]+\/[A-Za-z0-9]+$/;

/**
 * Checks that each reference leads to a component of its own file. A file with another one must not be linted further: tools
 * would open a connection.
 */
export function checkReferences(source: Source): Finding[] {
  const { file, tree, lines } = source;
  const found: Finding[] = [];
  visit(tree, {
    Pair(_, { key, value }, path) {
      if (!isScalar(key) || !isScalar(value) || typeof value.value !== 'string') return;
      const above = path.findLast((node) => 'key' in node && isScalar(node.key));
      const isMapped = above !== undefined && 'key' in above && isScalar(above.key) && above.key.value === 'mapping';
      const isReference = leading.includes(String(key.value));
      const isFine = key.value === '$ref' ? component.test(value.value) : value.value.startsWith('#');
      if (isFine || !(isReference || isMapped)) return;
      const message = `'${value.value}' is not a component of this file: write #/components/schemas/<name>; lint opens no other file or address`;
      found.push({
        file: displayPath(file),
        ...position(lines, key.range?.[0] ?? 0),
        rule: 'reference-local',
        message,
      });
    },
  });
  return found.length > 0 ? found : checkKinds(source);
}

/** Kind of object → the section of components that it refers to. */
const sections: Readonly<Record<string, string>> = {
  schema: 'schemas',
  parameter: 'parameters',
  requestBody: 'requestBodies',
  response: 'responses',
};

/** Checks that each reference leads to a component of its kind, and not back to itself. Other rules would report their consequences. */
function checkKinds(source: Source): Finding[] {
  const document: unknown = source.tree.toJS();
  return walk(document).flatMap(({ kind, node, path }) => {
    const { $ref: reference } = node;
    const section = sections[kind];
    if (typeof reference !== 'string' || section === undefined) return [];
    const place = [...path, '$ref'];
    if (!reference.startsWith(`#/components/${section}/`))
      return [
        findingAt(
          source,
          place,
          'reference-kind',
          `'${reference}' is in another section: write #/components/${section}/<name>`,
        ),
      ];
    const isComponent = path.length === 3 && path[0] === 'components';
    return isComponent && leadsBack(document, reference)
      ? [findingAt(source, place, 'reference-kind', `'${reference}' leads back to itself`)]
      : [];
  });
}

function leadsBack(document: unknown, reference: string): boolean {
  const seen = new Set<unknown>();
  for (let next: unknown = reference; typeof next === 'string'; ) {
    if (seen.has(next)) return true;
    seen.add(next);
    const [, , section = '', name = ''] = next.split('/');
    next = Object(Object(Object(Object(document).components)[section])[name]).$ref;
  }
  return false;
}
