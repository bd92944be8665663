import type { Encoding } from '../../../src/shared/operation.ts';
import type { JsonSchema } from '../../../src/shared/reference.ts';
import { encodingOf } from '../../spec/encoding.ts';
import type { Schema } from '../../spec/schema.ts';

/** Keywords that the reference copies unchanged. */
const kept = [
  'type',
  'deprecated',
  'required',
  'dependentRequired',
  'enum',
  'const',
  'default',
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
  'x-inferred-limits',
] as const satisfies (keyof Schema & keyof JsonSchema)[];

/**
 * A schema of the spec as the JSON Schema of a method's input: references point to `#/$defs`, descriptions contain
 * the meanings of enum values, and fields that the client encodes are decoded.
 *
 * @param text - rewrites a description
 */
export function referenceSchema(schema: Schema, text: (description: string) => string): JsonSchema {
  const convert = (inner: Schema): JsonSchema => referenceSchema(inner, text);
  const encoding = encodingOf(schema);
  if (encoding === 'json') {
    const content = convert(schema.contentSchema ?? {});
    const description = text(schema['x-decoded'] ?? schema.description ?? '');
    return described(`Pass the value. The client encodes it as JSON. ${description}`, content);
  }
  const description = [
    encoding && notes[encoding],
    text(decodedDescription(schema, encoding !== undefined)),
    meanings(schema),
  ];
  const { $ref, properties, items, additionalProperties: values, anyOf } = schema;
  const conditions = Object.fromEntries(
    (['if', 'then', 'else', 'not'] as const).flatMap((keyword) => {
      const condition = schema[keyword];
      return condition ? [[keyword, convert(condition)]] : [];
    }),
  );
  return described(description.filter(Boolean).join(' '), {
    ...($ref && { $ref: `#/$defs/${$ref.slice($ref.lastIndexOf('/') + 1)}` }),
    ...Object.fromEntries(
      kept.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
    ),
    ...(properties && { properties: mapValues(properties, convert) }),
    ...(items && { items: convert(items) }),
    ...(values !== undefined && { additionalProperties: encoding ? { type: 'string' } : valuesOf(values, convert) }),
    ...(anyOf && { anyOf: anyOf.map(convert) }),
    ...conditions,
  });
}

function valuesOf(values: boolean | Schema, convert: (schema: Schema) => JsonSchema): boolean | JsonSchema {
  return typeof values === 'object' ? convert(values) : values;
}

function described(description: string, schema: JsonSchema): JsonSchema {
  return { ...(description.trim() && { description: description.trim() }), ...schema };
}

/** Meanings of enum values as a sentence. Empty if they are not documented. */
function meanings({ enum: values = [], 'x-enumDescriptions': texts = {} }: Schema): string {
  const known = values.filter((value) => !/not documented/.test(texts[String(value)] ?? 'not documented'));
  if (known.length === 0) return '';
  return `${known.map((value) => `${value}: ${texts[String(value)]?.replace(/\.$/, '')}`).join('; ')}.`;
}

/** The beginning of the description of an encoded field. */
const notes: Record<Exclude<Encoding, 'json'>, string> = {
  base64Text: 'Pass the text. The client encodes it.',
  base64: 'Pass the content. The client encodes it.',
  base64Map: 'Pass the contents. The client encodes them.',
};

/** The description of a field in the form that methods take. */
function decodedDescription({ description = '', 'x-decoded': decoded }: Schema, isEncoded: boolean): string {
  if (!isEncoded) return description;
  return decoded ?? `On the wire: ${description}`;
}

export function mapValues<In, Out>(
  record: Readonly<Record<string, In>>,
  convert: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]));
}
