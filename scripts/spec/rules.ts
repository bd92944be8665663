import { listOperations, type Spec, type SpecOperation } from './model.ts';
import type { Rule } from './schema.ts';

/** A rule of behaviour; one of the document as a whole has no operation. */
export interface SpecRule extends Rule {
  operation?: SpecOperation;
}

/** Every rule of a spec: those of the document first, then those of its operations. */
export function listRules(spec: Spec): SpecRule[] {
  return [
    ...(spec.document.info['x-rules'] ?? []),
    ...listOperations(spec).flatMap((operation) =>
      (operation.operation['x-rules'] ?? []).map((rule) => ({ ...rule, operation })),
    ),
  ];
}

/** Every documented error code of a spec, once. */
export function listErrorCodes(spec: Spec): string[] {
  return [...new Set(listOperations(spec).flatMap(({ operation }) => Object.keys(operation['x-errors'] ?? {})))];
}
