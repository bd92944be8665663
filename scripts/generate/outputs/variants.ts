import { resolve } from '../../spec/model.ts';
import type { Schema, Variant } from '../../spec/schema.ts';
import { propertyKey } from '../typescript/names.ts';
import { enumText, sourceText } from '../typescript/schema-docs.ts';
import { tsdoc } from '../typescript/tsdoc.ts';
import { member, type TypeContext } from '../typescript/type-text.ts';

/** Names of the fields that a variant of a body requires, narrows or excludes, in the schema's order. */
export function variantFields({ 'x-variants': given, properties = {} }: Schema): string[] {
  const variants = Object.values(given?.variants ?? {});
  const named = variants.flatMap((variant) => [...(variant.required ?? []), ...Object.keys(variant.properties ?? {})]);
  return Object.keys(properties).filter((name) => named.includes(name));
}

/** The name of the union of a body's variants: `EmailToSendContent`. */
export function variantsName(owner: string, { 'x-variants': given }: Schema): string {
  return owner + given?.name;
}

/**
 * An interface for each variant of a body, and their union. With interfaces, compiler errors name the variant.
 *
 * @param owner - prefix of their names
 */
export function variantTypes(owner: string, schema: Schema, context: TypeContext): string {
  const { description = '', variants = {} } = schema['x-variants'] ?? {};
  const fields = variantFields(schema);
  const names = Object.keys(variants).map((name) => owner + name);
  const interfaces = Object.entries(variants).map(([name, variant]) => {
    const lines = fields.map((field) => variantMember(field, schema, variant, context));
    return `${tsdoc([variant.description])}export interface ${owner}${name} {\n${lines.join('')}}\n`;
  });
  const union = variantsName(owner, schema);
  const advice = `To choose at run time, put these fields in a variable of type \`${union}\` and spread the variable into the call.`;
  const comment = tsdoc([`${description} ${advice}`, sourceText(schema['x-source'])]);
  return `${interfaces.join('\n')}\n${comment}export type ${union} = ${names.join(' | ')};\n`;
}

function variantMember(name: string, schema: Schema, variant: Variant, context: TypeContext): string {
  const own = schema.properties?.[name] ?? {};
  const narrowed = variant.properties?.[name];
  if (narrowed === false) {
    // `undefined`, so that a program can pass it even with `exactOptionalPropertyTypes`.
    return `${tsdoc(['Not part of this form.'], '  ')}  ${propertyKey(name)}?: ${context.request ? 'undefined' : 'never'};\n`;
  }
  const required = [...(schema.required ?? []), ...(variant.required ?? [])].includes(name);
  const only = narrowed?.enum ?? (narrowed?.const === undefined ? undefined : [narrowed.const]);
  const values = only && enumText(own, resolve(context.spec.openapi, own), only);
  const said = [own.description, values].filter(Boolean).join('\n\n');
  return member(name, narrowed ? narrow(own, narrowed, said) : own, required, context, '  ');
}

/** A reference or a list of values replaces the schema. Other keywords override single keywords. */
function narrow(own: Schema, narrowed: Schema, description: string): Schema {
  const { $ref: _, enum: __, ...rest } = own;
  const base = narrowed.$ref || narrowed.enum || narrowed.const !== undefined ? {} : rest;
  return { ...base, ...narrowed, ...(description && { description }) };
}
