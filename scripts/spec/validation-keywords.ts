import type { Schema } from './schema.ts';

/** Keywords of JSON Schema that limit a value, in the order that generated files show them. */
export const validationKeywords = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'uniqueItems',
] as const satisfies (keyof Schema)[];
