import type { SpecOperation } from '../spec/model.ts';
import { listRules, type SpecRule } from '../spec/rules.ts';
import type { Reference } from './reference.ts';

/** An operation, and the reference page that describes it. */
export interface PlacedOperation {
  operation: SpecOperation;
  page: string;
}

/** An error code, with everything that the specs say about it. */
export interface ErrorCode {
  code: string;
  meaning: string;
  /** The rule that a request with this code breaks. */
  rule: SpecRule;
  operations: PlacedOperation[];
  /** What to do about it. */
  advice: string;
}

/**
 * What to do about each code. The meaning of a code and its rule are in the spec; this is advice, not a fact about the
 * platform.
 */
export const errorAdvice: Readonly<Record<string, string>> = {
  3084: 'Wait until the template is approved, or use an approved one. No documented operation reads templates: check the status in your account.',
  3085: 'Give every variable of the template a value in `variables`.',
  3086: 'Create one campaign for each phone number.',
  3087: 'Use the `sender_id` that the template belongs to, or a template of this sender.',
  3088: 'Shorten the value, and remove links from it.',
  3091: 'Set `template_id` to the ID of a registered template, and `message` to null.',
  3093: 'Set `message` to null to use the template. To send a text, leave out `template_id` and use a promo message: a system message needs a template.',
};

/** All error codes of the specs, in ascending order. Throws if a code has no advice, or advice has no code. */
export function collectErrorCodes(
  references: readonly Reference[],
  advice: Readonly<Record<string, string>> = errorAdvice,
): ErrorCode[] {
  const found = new Map<string, ErrorCode>();
  for (const { spec, operations, page } of references) {
    const rules = listRules(spec);
    for (const operation of operations) {
      for (const [code, { meaning, rule: id }] of Object.entries(operation.operation['x-errors'] ?? {})) {
        const rule = rules.find((one) => one.id === id);
        const text = advice[code];
        if (!rule || !text)
          throw new Error(`Code ${code} of ${operation.operationId} has no ${rule ? 'advice' : 'rule'}`);
        const known = found.get(code);
        const placed = { operation, page: page.file };
        if (known) known.operations.push(placed);
        else found.set(code, { code, meaning: meaning.trim(), rule, operations: [placed], advice: text });
      }
    }
  }
  const stale = Object.keys(advice).filter((code) => !found.has(code));
  if (stale.length > 0) throw new Error(`There is advice for ${stale.join(', ')}, which no spec documents`);
  return [...found.values()].sort((a, b) => Number(a.code) - Number(b.code));
}

/** The operations that document a failure with an HTTP status, by status. */
export function collectStatuses(references: readonly Reference[]): Map<string, PlacedOperation[]> {
  const found = new Map<string, PlacedOperation[]>();
  for (const { operations, page } of references) {
    for (const operation of operations) {
      for (const status of Object.keys(operation.operation.responses).filter((key) => /^[45]\d\d$/.test(key))) {
        found.set(status, [...(found.get(status) ?? []), { operation, page: page.file }]);
      }
    }
  }
  return new Map([...found].sort(([a], [b]) => Number(a) - Number(b)));
}
