import { resolve } from '../../../scripts/spec/model.ts';
import type { JsonValue, OpenApi, Schema } from '../../../scripts/spec/schema.ts';

/** A minimal valid value for a place that no example fills, with only required properties. */
export function sample(openapi: OpenApi, node: Schema): JsonValue {
  const schema = resolve(openapi, node);
  const known = schema.const ?? schema.enum?.[0] ?? schema.examples?.[0] ?? schema.default;
  if (known !== undefined) return known;
  const branch = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (branch) return sample(openapi, branch);
  switch ([schema.type ?? 'string'].flat()[0]) {
    case 'object': {
      const required = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
      return Object.fromEntries(required.map(([name, property]) => [name, sample(openapi, property)]));
    }
    case 'array': {
      const { items } = schema;
      return items ? Array.from({ length: schema.minItems ?? 0 }, () => sample(openapi, items)) : [];
    }
    case 'integer':
    case 'number':
      return schema.minimum ?? Math.min(1, schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      if (schema.pattern || schema.format) {
        throw new Error(`Give an example of the text '${schema.description}', whose form is prescribed`);
      }
      return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
  }
}
