import type { JsonSchema } from '../shared/reference.ts';

/** A query parameter, which arrives as text. */
export interface ParameterForm {
  readonly name: string;
  /** Its type, and that of its items. */
  readonly schema: JsonSchema;
}

/** Reads the query in the form that the schemas expect: numbers, booleans and lists. Other parameters stay texts. */
export function readQuery(search: URLSearchParams, forms: readonly ParameterForm[]): Record<string, unknown> {
  const schemas = new Map(forms.map(({ name, schema }) => [name, schema]));
  const values = [...new Set(search.keys())].map((name) => [
    name,
    readValue(search.getAll(name), schemas.get(name) ?? {}),
  ]);
  // Creates own properties, even for a parameter named `__proto__`.
  return Object.fromEntries(values);
}

function readValue(texts: readonly string[], { type, items }: JsonSchema): unknown {
  if (type === 'array') return texts.map((text) => asType(text, items?.type));
  const values = texts.map((text) => asType(text, type));
  return values.length === 1 ? values[0] : values;
}

function asType(text: string, type: JsonSchema['type']): unknown {
  const [first] = [type].flat();
  if ((first === 'integer' || first === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return first === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}
