import { buildTree } from '../generate/model/method-tree.ts';
import { modelSpec } from '../generate/model/operation-model.ts';
import { deriveEnvelope } from '../spec/envelope.ts';
import { SpecFault } from '../spec/fault.ts';
import { listOperations, type Spec, type SpecOperation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import type { Finding } from './finding.ts';
import { findingAt, type SpecSource } from './spec-source.ts';

/**
 * Checks that the generators can create a method for each operation. Earlier rules check the form of the spec, so this check
 * applies only to a spec without other findings.
 */
export function checkClient(source: SpecSource): Finding[] {
  // No model depends on the name.
  const spec: Spec = { name: 'crm', file: source.file, openapi: source.tree.toJS() };
  const findings = listOperations(spec).flatMap((operation) => {
    const { path, method } = operation;
    return catchFault(source, ['paths', path, method.toLowerCase()], () => {
      checkSuccess(operation);
      flatFields(operation);
      deriveEnvelope(operation);
    });
  });
  return findings.length > 0 ? findings : catchFault(source, [], () => buildTree(modelSpec(spec).operations));
}

function checkSuccess({ operation }: SpecOperation): void {
  const [, other] = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
  if (other === undefined) return;
  const message = `a method returns one type: remove ${other}, and use \`anyOf\` if the body of a success varies`;
  throw new SpecFault('success-one', ['responses', other], message);
}

function catchFault(source: SpecSource, place: string[], run: () => unknown): Finding[] {
  try {
    run();
    return [];
  } catch (error) {
    if (!(error instanceof SpecFault)) throw error;
    const isAbsolute = error.place[0] === 'components' || error.place[0] === 'paths';
    return [findingAt(source, [...(isAbsolute ? [] : place), ...error.place], error.rule, error.message)];
  }
}
