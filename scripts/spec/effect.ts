import type { EffectFacts, OperationObject } from './schema.ts';

/** The effect of an operation, whose short form is its kind alone. */
export function effectOf({ 'x-effect': effect }: Pick<OperationObject, 'x-effect'>): EffectFacts {
  return typeof effect === 'string' ? { kind: effect } : effect;
}
