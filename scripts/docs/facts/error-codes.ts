import type { SpecOperation } from '../../spec/model.ts';
import { listRules, type SpecRule } from '../../spec/rules.ts';
import type { ProductReference } from './product-reference.ts';

/** An error code with all its facts from the specs. */
export interface DocumentedCode {
  code: string;
  meaning: string;
  /** The rule that a request with this code breaks. */
  rule: SpecRule;
  operations: SpecOperation[];
  /** Advice for the caller. */
  advice: string;
}

/** All error codes of the specs in ascending order. The lint ensures that each has a rule. */
export function collectErrorCodes(references: readonly ProductReference[]): DocumentedCode[] {
  const found = new Map<string, DocumentedCode>();
  for (const { spec, operations } of references) {
    const rules = listRules(spec);
    for (const operation of operations) {
      for (const [code, { meaning, rule: id, advice }] of Object.entries(operation.operation['x-errors'] ?? {})) {
        const rule = rules.find((one) => one.id === id);
        if (!rule) throw new Error(`Code ${code} of ${operation.operationId} has no rule`);
        const known = found.get(code);
        if (known) known.operations.push(operation);
        else found.set(code, { code, meaning: meaning.trim(), rule, operations: [operation], advice: advice.trim() });
      }
    }
  }
  return [...found.values()].sort((a, b) => Number(a.code) - Number(b.code));
}

/** The operations that document a failure with an HTTP status, by status. */
export function collectStatuses(references: readonly ProductReference[]): Map<string, SpecOperation[]> {
  const found = new Map<string, SpecOperation[]>();
  for (const { operations } of references) {
    for (const operation of operations) {
      for (const status of Object.keys(operation.operation.responses).filter((key) => /^[45]\d\d$/.test(key))) {
        found.set(status, [...(found.get(status) ?? []), operation]);
      }
    }
  }
  return new Map([...found].sort(([a], [b]) => Number(a) - Number(b)));
}
