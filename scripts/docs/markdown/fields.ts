import { typeText } from '../../../src/cli/catalogue/type-text.ts';
import { resolve } from '../../spec/model.ts';
import type { OpenApi, Schema } from '../../spec/schema.ts';
import { blocks, code, folded, list, within } from './markdown.ts';

/** A field of a request or a response, as a page shows it. */
export interface ShownField {
  name: string;
  schema: Schema;
  /** Short facts beside the type, such as `**required**`. */
  marks: readonly (string | false | undefined)[];
  /** Replaces the type of the schema. */
  type?: string | undefined;
  /** Replaces the description of the schema. */
  description?: string | undefined;
}

/** Depth to which fields of fields are shown. Records that contain themselves end here. */
const maxDepth = 3;

/** A list of fields: name, type and marks in one line, the meaning below, values and inner fields folded. */
export function fieldList(openapi: OpenApi, fields: readonly ShownField[]): string {
  return within('fields', listFields(openapi, fields, 0));
}

function listFields(openapi: OpenApi, fields: readonly ShownField[], depth: number): string {
  return list(
    fields.map(({ name, schema, type, marks, description }) => {
      const resolved = resolve(openapi, schema);
      const shown = type ?? typeText(schema.$ref && resolved.properties ? schema : resolved);
      return blocks(
        [code(name), shown, ...marks].filter(Boolean).join(' · '),
        description ?? describe(openapi, schema),
        ...partsOf(openapi, schema).map((part) => innerBlock(openapi, part, depth)),
      );
    }),
  );
}

/** The description of a schema. That of a referenced one continues after its first sentence, which the own one replaces. */
function describe(openapi: OpenApi, schema: Schema): string {
  if (schema.$ref === undefined) return schema.description ?? '';
  const { description: general = '' } = resolve<Schema>(openapi, { $ref: schema.$ref });
  const details = schema.description ? general.replace(/^.*?[.!?](?:\s+|$)/s, '') : general;
  return [schema.description, details].filter(Boolean).join(' ');
}

/** Values with meanings, or the fields of a record, folded below the field that contains them. */
function innerBlock(openapi: OpenApi, part: Schema, depth: number): string {
  const { 'x-enumDescriptions': meanings } = part;
  if (meanings) {
    const values = Object.entries(meanings).map(([value, meaning]) => `${code(value || "''")}: ${meaning}`);
    return folded(`${values.length} values`, list(values));
  }
  const fields = depth < maxDepth ? recordFields(openapi, part) : [];
  if (fields.length === 0) return '';
  return folded(
    `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`,
    listFields(
      openapi,
      fields.map(({ name, schema, required }) => ({ name, schema, marks: [required && '**required**'] })),
      depth + 1,
    ),
  );
}

/** The schemas inside a field whose values or fields have meanings: its own, those of its items, entries and variants. */
function partsOf(openapi: OpenApi, schema: Schema, level = 0): Schema[] {
  const resolved = resolve(openapi, schema);
  const { items, anyOf = [], oneOf = [], additionalProperties: entries } = resolved;
  const inner = [items, ...anyOf, ...oneOf, typeof entries === 'object' ? entries : undefined];
  const own = resolved['x-enumDescriptions'] || recordFields(openapi, resolved).length > 0 ? [resolved] : [];
  if (level >= maxDepth) return own;
  return [...own, ...inner.flatMap((part) => (part ? partsOf(openapi, part, level + 1) : []))];
}

interface RecordField {
  name: string;
  schema: Schema;
  required: boolean;
}

/** The fields of a record, including those of the records that it extends. */
export function recordFields(openapi: OpenApi, schema: Schema): RecordField[] {
  const { properties = {}, required = [], allOf = [] } = schema;
  const inherited = allOf.flatMap((part) => recordFields(openapi, resolve(openapi, part)));
  const own = Object.entries(properties).map(([name, property]) => ({ name, schema: property, required: false }));
  const fields = new Map([...inherited, ...own].map((field) => [field.name, field]));
  const always = new Set([...required, ...inherited.filter((field) => field.required).map(({ name }) => name)]);
  return [...fields.values()].map((field) => ({ ...field, required: always.has(field.name) }));
}
