import { isMap, isScalar, isSeq } from 'yaml';
import { displayPath, type Finding } from './finding.ts';
import { findingAt, type Path, type Source } from './source.ts';

/** A name that a spec declares. */
interface Name {
  source: Source;
  path: Path;
  name: string;
}

/**
 * Checks names that must be unique across files: names of operations and ids of rules. Spectral and Redocly check only
 * one file at a time.
 */
export function findDuplicates(sources: Source[]): Finding[] {
  const places = sources.flatMap((source) => operationPaths(source).map((path) => ({ source, path })));
  const operationIds = places.map(({ source, path }) => ({ source, path: [...path, 'operationId'] }));
  return [
    ...repeated('operation-id-unique', 'the operationId', operationIds.flatMap(read)),
    ...repeated('rule-id-unique', 'the rule id', listRuleIds(sources)),
  ];
}

/** The id of every rule, with its position. */
function listRuleIds(sources: Source[]): Name[] {
  const infos = sources.map((source) => ({ source, path: ['info'] }));
  const operations = sources.flatMap((source) => operationPaths(source).map((path) => ({ source, path })));
  return [...infos, ...operations].flatMap(ruleIdPaths).flatMap(read);
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
    const { line } = findingAt(earlier.source, earlier.path, rule, '');
    return [findingAt(source, path, rule, `${what} ${name} is taken at ${displayPath(earlier.source.file)}:${line}`)];
  });
}

function operationPaths({ tree }: Source): Path[] {
  return keysAt(tree.get('paths')).flatMap((path) =>
    keysAt(tree.getIn(['paths', path])).flatMap((method) =>
      isMap(tree.getIn(['paths', path, method])) ? [['paths', path, method]] : [],
    ),
  );
}

function ruleIdPaths({ source, path }: { source: Source; path: Path }): { source: Source; path: Path }[] {
  const rules = source.tree.getIn([...path, 'x-rules']);
  return isSeq(rules) ? rules.items.map((_, index) => ({ source, path: [...path, 'x-rules', index, 'id'] })) : [];
}

function read({ source, path }: { source: Source; path: Path }): Name[] {
  const name = source.tree.getIn(path);
  return typeof name === 'string' ? [{ source, path, name }] : [];
}

function keysAt(node: unknown): string[] {
  return isMap(node) ? node.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : [])) : [];
}
