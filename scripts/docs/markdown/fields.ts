import { typeText } from '../../../src/cli/catalogue/type-text.ts';
import { resolve } from '../../spec/model.ts';
import type { Schema, SpecDocument } from '../../spec/schema.ts';
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
export function fieldList(document: SpecDocument, fields: readonly ShownField[]): string {
  return within('fields', listFields(document, fields, 0));
}

function listFields(document: SpecDocument, fields: readonly ShownField[], depth: number): string {
  return list(
    fields.map(({ name, schema, type, marks, description }) => {
      const resolved = resolve(document, schema);
      const shown = type ?? typeText(schema.$ref && resolved.properties ? schema : resolved);
      return blocks(
        [code(name), shown, ...marks].filter(Boolean).join(' · '),
        description ?? describe(document, schema),
        ...partsOf(document, schema).map((part) => innerBlock(document, part, depth)),
      );
    }),
  );
}

/** The description of a schema. That of a referenced one continues after its first sentence, which the own one replaces. */
function describe(document: SpecDocument, schema: Schema): string {
  if (schema.$ref === undefined) return schema.description ?? '';
  const { description: general = '' } = resolve<Schema>(document, { $ref: schema.$ref });
  const details = schema.description ? general.replace(/^.*?[.!?](?:\s+|$)/s, '') : general;
  return [schema.description, details].filter(Boolean).join(' ');
}

/** Values with meanings, or the fields of a record, folded below the field that contains them. */
function innerBlock(document: SpecDocument, part: Schema, depth: number): string {
  const { 'x-enumDescriptions': meanings } = part;
  if (meanings) {
    const values = Object.entries(meanings).map(([value, meaning]) => `${code(value || "''")}: ${meaning}`);
    return folded(`${values.length} values`, list(values));
  }
  const fields = depth < maxDepth ? recordFields(document, part) : [];
  if (fields.length === 0) return '';
  return folded(
    `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`,
    listFields(
      document,
      fields.map(({ name, schema, required }) => ({ name, schema, marks: [required && '**required**'] })),
      depth + 1,
    ),
  );
}

/** The schemas inside a field whose values or fields have meanings: its own, those of its items, entries and variants. */
function partsOf(document: SpecDocument, schema: Schema, level = 0): Schema[] {
  const resolved = resolve(document, schema);
  const { items, anyOf = [], oneOf = [], additionalProperties: entries } = resolved;
  const inner = [items, ...anyOf, ...oneOf, typeof entries === 'object' ? entries : undefined];
  const own = resolved['x-enumDescriptions'] || recordFields(document, resolved).length > 0 ? [resolved] : [];
  if (level >= maxDepth) return own;
  return [...own, ...inner.flatMap((part) => (part ? partsOf(document, part, level + 1) : []))];
}

interface RecordField {
  name: string;
  schema: Schema;
  required: boolean;
}

/** The fields of a record, including those of the records that it extends. */
export function recordFields(document: SpecDocument, schema: Schema): RecordField[] {
  const { properties = {}, required = [], allOf = [] } = schema;
  const inherited = allOf.flatMap((part) => recordFields(document, resolve(document, part)));
  const own = Object.entries(properties).map(([name, property]) => ({ name, schema: property, required: false }));
  const fields = new Map([...inherited, ...own].map((field) => [field.name, field]));
  const always = new Set([...required, ...inherited.filter((field) => field.required).map(({ name }) => name)]);
  return [...fields.values()].map((field) => ({ ...field, required: always.has(field.name) }));
}
