import type { EffectFacts, OperationObject } from './schema.ts';

/** Returns the effect of an operation. The short form of an effect is only its kind. */
export function effectOf({ 'x-effect': effect }: Pick<OperationObject, 'x-effect'>): EffectFacts {
  return typeof effect === 'string' ? { kind: effect } : effect;
}
