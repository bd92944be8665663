import { listOperations, type Spec, type SpecOperation } from './model.ts';
import type { Rule } from './schema.ts';

/** A behaviour rule. Rules of the whole product have no operation. */
export interface SpecRule extends Rule {
  operation?: SpecOperation;
}

/** All rules of a spec: those of the product, then those of its operations. */
export function listRules(spec: Spec): SpecRule[] {
  return [
    ...(spec.openapi.info['x-rules'] ?? []),
    ...listOperations(spec).flatMap((operation) =>
      (operation.operation['x-rules'] ?? []).map((rule) => ({ ...rule, operation })),
    ),
  ];
}

/** Every documented error code of a spec, once. */
export function listErrorCodes(spec: Spec): string[] {
  return [...new Set(listOperations(spec).flatMap(({ operation }) => Object.keys(operation['x-errors'] ?? {})))];
}
