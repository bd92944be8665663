import { resolve, type Spec } from '../../spec/model.ts';
import type { JsonValue, Schema } from '../../spec/schema.ts';
import { Constant, type Literal } from './literal.ts';
import { pascalCase } from './names.ts';

/** Replaces each value of an enum that has named values with its generated constant, such as `Crm.DealStatus.Fail`. */
export function withConstants(spec: Spec, schema: Schema | undefined, value: JsonValue): Literal {
  const forms = schema ? formsOf(spec, schema) : [];
  if (Array.isArray(value)) {
    const items = forms.find((form) => form.schema.items)?.schema.items;
    return value.map((item) => withConstants(spec, items, item));
  }
  if (typeof value !== 'object' || value === null) return constantFor(spec, forms, value) ?? value;
  const entries = Object.entries(value).map(([name, member]): [string, Literal] => {
    const property = forms.find((form) => form.schema.properties?.[name])?.schema.properties?.[name];
    return [name, withConstants(spec, property, member)];
  });
  return Object.fromEntries(entries);
}

/** A schema without references, and the name of its component. */
interface Form {
  name: string | undefined;
  schema: Schema;
}

/** A schema and all schemas that it combines. */
function formsOf(spec: Spec, reference: Schema): Form[] {
  const schema = resolve(spec.openapi, reference);
  const name = reference.$ref?.split('/').at(-1);
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [{ name, schema }, ...parts.flatMap((part) => formsOf(spec, part))];
}

function constantFor(spec: Spec, forms: Form[], value: string | number | boolean | null): Constant | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  for (const { name, schema } of forms) {
    const names = schema['x-enum-varnames'];
    const index = schema.enum?.indexOf(value) ?? -1;
    // Only component schemas become constants.
    if (name && names && index >= 0) return new Constant(`${pascalCase(spec.name)}.${name}.${names[index]}`);
  }
  return undefined;
}
