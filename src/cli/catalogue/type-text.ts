import type { JsonSchema } from '../../shared/reference.ts';

/** Describes the type of a schema, such as `integer, 1 to 100`, `list of ContactSort`, `one of 0, 1`. */
export function typeText(schema: JsonSchema): string {
  return [shape(schema), ...limits(schema)].join(', ');
}

function shape(schema: JsonSchema): string {
  const { $ref, enum: values, const: only, anyOf, items, properties, additionalProperties: entries } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (values) return `one of ${values.map((value) => (value === '' ? "''" : String(value))).join(', ')}`;
  if (only !== undefined) return JSON.stringify(only);
  if (anyOf) return [...new Set(anyOf.map(shape))].join(' or ');
  const types = [schema.type ?? 'any JSON value'].flat().map((type) => {
    if (type === 'array') return items ? `list of ${shape(items).replace(/^.* or .*$/, '($&)')}` : 'list';
    if (type === 'string' && schema.pattern !== undefined) return `string matching ${schema.pattern}`;
    if (type !== 'object') return type;
    if (properties) return `object {${Object.keys(properties).join(', ')}}`;
    return typeof entries === 'object' ? `map of name to ${shape(entries)}` : 'object';
  });
  return types.join(' or ');
}

function limits(schema: JsonSchema): string[] {
  const { format, default: standard } = schema;
  return [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    range(schema.minProperties, schema.maxProperties, ' entries'),
    schema.uniqueItems ? 'unique items' : '',
    format ?? '',
    schema.deprecated ? 'deprecated' : '',
    standard === undefined ? '' : `default ${JSON.stringify(standard)}`,
  ].filter((text) => text !== '');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (most !== undefined) return `at most ${most}${unit}`;
  return least === undefined ? '' : `at least ${least}${unit}`;
}

/** Describes a documented quota, such as `5 requests in 24 hours per account`. */
export function quotaText({ requests, seconds, per }: { requests: number; seconds: number; per: string }): string {
  const units = [
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, unit] = units.find(([size]) => seconds % size === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${requests} ${requests === 1 ? 'request' : 'requests'} in ${count} ${unit}${count === 1 ? '' : 's'} per ${per}`;
}

/** Descriptions of the effects of calls. */
export const effectTexts = {
  read: 'changes no data',
  write: 'creates or changes data',
  delete: 'deletes or removes data',
  send: 'reaches people or costs money',
} as const;
