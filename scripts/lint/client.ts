import { deriveEnvelope } from '../spec/envelope.ts';
import { SpecFault } from '../spec/fault.ts';
import { listOperations, type Spec } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import type { Finding } from './finding.ts';
import { findingAt, type Source } from './source.ts';

/**
 * Checks that the generators can make a method of each operation. The rules before this one check the form of the spec, so it
 * applies only to a spec without other findings.
 */
export function checkClient(source: Source): Finding[] {
  // No model depends on the name.
  const spec: Spec = { name: 'crm', file: source.file, document: source.tree.toJS() };
  return listOperations(spec).flatMap((operation) => {
    try {
      flatFields(operation);
      deriveEnvelope(operation);
      return [];
    } catch (error) {
      if (!(error instanceof SpecFault)) throw error;
      const { path, method } = operation;
      const above = error.place[0] === 'components' ? [] : ['paths', path, method.toLowerCase()];
      return [findingAt(source, [...above, ...error.place], error.rule, error.message)];
    }
  });
}
