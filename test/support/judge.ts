import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonValue, Schema, SpecDocument } from '../../scripts/spec/schema.ts';

/** A fault of a value and its place. A missing property has the place where it should be. */
export interface Fault {
  location: string[];
  keyword: string;
}

/** Everything that a schema of one document finds wrong with a value. Formats are left to the mock. */
export type Judge = (schema: Schema, value: JsonValue) => Fault[];

export function createJudge({ components }: SpecDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
  const compiled = new WeakMap<Schema, ValidateFunction>();
  return (schema, value) => {
    // References lead to `#/components`, so these are in the root of every schema.
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
