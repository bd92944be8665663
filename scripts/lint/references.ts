import { isScalar, visit } from 'yaml';
import { displayPath, type Finding } from './finding.ts';
import { position, type SpecSource } from './spec-source.ts';

/** Keys whose string refers to another place. Spectral and Redocly would open addresses and files. */
const leading = ['$ref', '$dynamicRef', 'operationRef', 'externalValue'];
const component = /^#\/components\/[A-Za-z]+\/[A-Za-z0-9]+$/;

/**
 * Checks that each reference leads to a component of its own file. A file with any other reference must not be linted further,
 * because tools would open a connection.
 */
export function checkReferences(source: SpecSource): Finding[] {
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
  return found;
}
