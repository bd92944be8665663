import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonValue, OpenApi, Schema } from '../../scripts/spec/schema.ts';

/** A fault in a value, with its location. A missing property has its expected location. */
export interface Fault {
  location: string[];
  keyword: string;
}

/** Returns all violations of a schema by a value, except formats, which the mock checks. */
export type Judge = (schema: Schema, value: JsonValue) => Fault[];

export function createJudge({ components }: OpenApi): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
  const compiled = new WeakMap<Schema, ValidateFunction>();
  return (schema, value) => {
    // References point to `#/components`, so every schema has the components at its root.
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
    compiled.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, keyword, params }) => {
      const location = instancePath.split('/').slice(1).map(unescapePart);
      return { keyword, location: keyword === 'required' ? [...location, String(params.missingProperty)] : location };
    });
  };
}

function unescapePart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
