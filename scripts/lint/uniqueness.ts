import { walk } from '../spec/rule-walk.ts';
import { displayPath, type Finding } from './finding.ts';
import { findingAt, type Path, type SpecSource } from './spec-source.ts';

/** A name that a spec declares. */
interface Name {
  source: SpecSource;
  path: Path;
  name: string;
}

/**
 * Checks names that must be unique across files: names of operations and ids of rules. Spectral and Redocly check only
 * one file at a time.
 */
export function findDuplicates(sources: SpecSource[]): Finding[] {
  return [
    ...repeated('operation-id-unique', 'the operationId', listNames(sources, 'operation', 'operationId')),
    ...repeated('rule-id-unique', 'the rule id', listNames(sources, 'rule', 'id')),
  ];
}

/** The names of all objects of a kind. */
function listNames(sources: SpecSource[], kind: string, key: string): Name[] {
  return sources.flatMap((source) =>
    walk(source.tree.toJS()).flatMap((entry) => {
      const name = entry.node[key];
      return entry.kind === kind && typeof name === 'string' ? [{ source, path: [...entry.path, key], name }] : [];
    }),
  );
}

function repeated(rule: string, what: string, names: Name[]): Finding[] {
  const first = new Map<string, Name>();
  return names.flatMap((found) => {
    const { source, path, name } = found;
    const earlier = first.get(name);
    if (!earlier) {
      first.set(name, found);
      return [];
    }
    // Spectral reports an operationId that one file has twice.
    if (rule === 'operation-id-unique' && earlier.source === source) return [];
    const { line } = findingAt(earlier.source, earlier.path, rule, '');
    return [
      findingAt(source, path, rule, `${what} ${name} is already used at ${displayPath(earlier.source.file)}:${line}`),
    ];
  });
}
