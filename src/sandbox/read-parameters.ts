import type { QueryStyle } from '../shared/operation.ts';
import type { JsonSchema } from '../shared/reference.ts';
import type { PlainHeaders } from './http.ts';

/** A parameter that arrives as text. */
export interface ParameterForm {
  readonly name: string;
  /** Its types, and those of its items or fields. */
  readonly schema: JsonSchema;
  /** How a list or an object is written. By default, a list repeats the name, and an object is `name[field]`. */
  readonly style: QueryStyle | undefined;
}

const separators: Readonly<Record<QueryStyle, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** Reads the query in the form that the schemas expect: numbers, booleans, lists and objects. Other parameters stay texts. */
export function readQuery(search: URLSearchParams, forms: readonly ParameterForm[]): Record<string, unknown> {
  const values: [string, unknown][] = [];
  const left = new Set(search.keys());
  for (const { name, schema, style } of forms) {
    if (schema.type === 'object') {
      const fields = Object.entries(schema.properties ?? {}).flatMap(([field, type]): [string, unknown][] => {
        const written = style === 'form' ? field : `${name}[${field}]`;
        return left.delete(written) ? [[field, readValue(search.getAll(written), type)]] : [];
      });
      if (fields.length > 0) values.push([name, Object.fromEntries(fields)]);
    } else if (left.delete(name)) {
      const texts = search.getAll(name);
      const isList = schema.type === 'array' && style !== undefined && texts.length === 1;
      values.push([name, readValue(isList ? (texts[0] ?? '').split(separators[style]) : texts, schema)]);
    }
  }
  for (const name of left) values.push([name, readValue(search.getAll(name), {})]);
  // Creates own properties, even for a parameter named `__proto__`.
  return Object.fromEntries(values);
}

/** Reads the headers that are parameters. */
export function readHeader(headers: PlainHeaders, forms: readonly ParameterForm[]): Record<string, unknown> {
  return Object.fromEntries(
    forms.flatMap(({ name, schema }) => {
      const text = headers.get(name);
      return text === null ? [] : [[name, readValue([text], schema)]];
    }),
  );
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
