import type { JsonValue, Schema } from '../../../scripts/spec/schema.ts';
import { isObject, type JsonObject, withoutKeys } from '../../support/json-value.ts';

/** A way to break one keyword of a schema. */
export interface Break {
  keyword: string;
  /** Describes the broken value, for titles. */
  words: string;
  /** Values that break the keyword, clearest first. Another branch of an `anyOf` may accept some of them. */
  values: JsonValue[];
  /** The missing property. */
  missing?: string;
}

/** A value of each type. */
const oneOfEach: JsonValue[] = ['text', 1.5, 1, true, {}, [], null];

type Breaker = (schema: Schema, valid: JsonValue | undefined) => Omit<Break, 'keyword'>[];

const breakers: Partial<Record<keyof Schema, Breaker>> = {
  type: ({ type = [] }) => {
    const types = [type].flat();
    const values = oneOfEach.filter((value) => !types.some((name) => isOfType(value, name)));
    return [{ words: `is not ${types.join(' or ')}`, values }];
  },
  enum: ({ enum: values = [] }) => [{ words: `is not one of ${values.join(', ')}`, values: outside(values) }],
  const: ({ const: value = null }) => [
    { words: `is not ${JSON.stringify(value)}`, values: [`not ${value}`, !value, Number(value) + 1] },
  ],
  minLength: ({ minLength = 0 }, valid) =>
    minLength === 0
      ? []
      : [
          {
            words: `is shorter than ${minLength}`,
            values: [
              textOf(valid)
                .padEnd(minLength, 'x')
                .slice(0, minLength - 1),
            ],
          },
        ],
  maxLength: ({ maxLength = 0 }, valid) => [
    { words: `is longer than ${maxLength}`, values: [textOf(valid).padEnd(maxLength + 1, 'x')] },
  ],
  pattern: ({ pattern = '' }) => {
    const values = ['no such form', '', '?'].filter((text) => !new RegExp(pattern, 'u').test(text));
    return [{ words: `does not match ${pattern}`, values }];
  },
  format: ({ format = '' }) =>
    numericFormats.includes(format) ? [] : [{ words: `is not a valid ${format}`, values: ['no such form'] }],
  minimum: ({ minimum = 0 }) => [{ words: `is less than ${minimum}`, values: [minimum - 1] }],
  maximum: ({ maximum = 0 }) => [{ words: `is more than ${maximum}`, values: [maximum + 1] }],
  minItems: ({ minItems = 0 }, valid) =>
    minItems === 0
      ? []
      : [{ words: `has fewer than ${minItems} items`, values: [itemsOf(valid).slice(0, minItems - 1)] }],
  maxItems: ({ maxItems = 0 }, valid) => [
    { words: `has more than ${maxItems} items`, values: [repeat(itemsOf(valid), maxItems + 1)] },
  ],
  uniqueItems: (_, valid) => [{ words: 'has an item twice', values: [repeat(itemsOf(valid).slice(0, 1), 2)] }],
  required: ({ required = [] }, valid) =>
    required.map((name) => ({ words: 'is missing', missing: name, values: [withoutKeys(objectOf(valid), [name])] })),
  dependentRequired: ({ dependentRequired = {} }, valid) =>
    Object.entries(dependentRequired).flatMap(([name, needed]) =>
      needed.map((other) => ({
        words: `has ${name} without ${other}`,
        values: [withoutKeys({ [name]: null, ...objectOf(valid) }, [other])],
      })),
    ),
  not: ({ not = {} }, valid) => [{ words: 'matches a forbidden schema', values: [asDescribed(not, objectOf(valid))] }],
};

/** Keywords that lead to other schemas (see places.ts), and those without a limit on the wire. */
const others: (keyof Schema)[] = [
  ...(['$ref', 'properties', 'items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'] as const),
  ...(['title', 'description', 'deprecated', 'default', 'examples'] as const),
  ...(['contentEncoding', 'contentMediaType', 'contentSchema'] as const),
];
const numericFormats = ['int32', 'int64', 'float', 'double'];

/** Every way to break a schema's own keywords. Throws for a keyword that it cannot break, so that none is skipped. */
export function breaksOf(schema: Schema, valid: JsonValue | undefined): Break[] {
  return Object.entries(schema).flatMap(([keyword]) => {
    if (keyword.startsWith('x-') || others.some((other) => other === keyword)) return [];
    const breaker = Object.entries(breakers).find(([name]) => name === keyword)?.[1];
    if (!breaker) throw new Error(`No case is derived for the keyword '${keyword}': add one to breaks.ts`);
    return breaker(schema, valid).map((found) => ({ keyword, ...found }));
  });
}

/** Changes the object to match a description, without its optional properties. */
function asDescribed({ properties = {}, required = [] }: Schema, valid: JsonObject): JsonObject {
  const fill = (name: string): JsonValue => {
    const types = [properties[name]?.type ?? 'string'].flat();
    return valid[name] ?? oneOfEach.find((value) => types.some((type) => isOfType(value, type))) ?? null;
  };
  return {
    ...withoutKeys(valid, Object.keys(properties)),
    ...Object.fromEntries(required.map((name) => [name, fill(name)])),
  };
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** Values outside an enum, gaps first: a list of 1 to 6 and 8 must refuse 7. */
function outside(values: (string | number | null)[]): JsonValue[] {
  const numbers = values.filter((value) => typeof value === 'number');
  const first = Math.min(...numbers);
  const span = numbers.length === 0 ? 0 : Math.max(...numbers) - first + 2;
  const gaps = Array.from({ length: span }, (_, index) => first + index).filter((number) => !numbers.includes(number));
  const text = values.find((value) => typeof value === 'string');
  return text === undefined ? gaps : [...gaps, `${text}?`];
}

function textOf(valid: JsonValue | undefined): string {
  return typeof valid === 'string' ? valid : '';
}

function itemsOf(valid: JsonValue | undefined): JsonValue[] {
  return Array.isArray(valid) ? valid : [];
}

function objectOf(valid: JsonValue | undefined): JsonObject {
  return isObject(valid) ? valid : {};
}

function repeat(items: JsonValue[], length: number): JsonValue[] {
  return Array.from({ length }, (_, index) => items[index % items.length] ?? null);
}
