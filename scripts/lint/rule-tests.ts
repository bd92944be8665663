import { findNamedTests } from '../spec/rule-tests.ts';
import type { Finding } from './finding.ts';
import { findingAt, type Source } from './source.ts';
import { listRuleIds } from './uniqueness.ts';

/** Every rule of behaviour is held by a test that names its id: the sandbox follows it, and keeps following it. */
export function findUntestedRules(
  sources: Source[],
  tests: ReadonlyMap<string, string[]> = findNamedTests(),
): Finding[] {
  return listRuleIds(sources).flatMap(({ source, path, name }) => {
    if (tests.has(name)) return [];
    const message = `no test names the rule ${name}: hold it in test/sandbox by one whose title ends with [${name}]`;
    return [findingAt(source, path, 'rule-has-test', message)];
  });
}
