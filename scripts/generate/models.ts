import type { Spec } from '../spec/model.ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { propertyKey } from './names.ts';
import { schemaLines, tsdoc } from './tsdoc.ts';
import { members, type TypeContext, typeOf } from './typescript.ts';

/**
 * `models.ts`: every component schema under its own name. Objects are interfaces, so that a user adds an account's own
 * fields by module augmentation; enums with named values are constants as well as types.
 */
export function generateModels(spec: Spec): string {
  const context: TypeContext = { spec, prefix: '' };
  const models = Object.entries(spec.document.components.schemas).map(([name, schema]) => model(name, schema, context));
  return `${header(`spec/${spec.name}.yaml`)}\n${models.join('\n')}`;
}

function model(name: string, schema: Schema, context: TypeContext): string {
  const comment = tsdoc([...schemaLines(schema), source(schema)]);
  if (schema.enum && schema['x-enum-varnames']) return comment + constants(name, schema);
  if (schema.properties && schema.type === 'object') {
    return `${comment}export interface ${name} {\n${members(schema, context, '  ')}}\n`;
  }
  return `${comment}export type ${name} = ${typeOf(schema, context)};\n`;
}

function constants(name: string, schema: Schema): string {
  const values = schema.enum ?? [];
  const rows = values.map((value, index) => {
    const key = schema['x-enum-varnames']?.[index] ?? String(value);
    const meaning = schema['x-enumDescriptions']?.[String(value)];
    return `${tsdoc([meaning], '  ')}  ${propertyKey(key)}: ${JSON.stringify(value)},\n`;
  });
  return `export const ${name} = {\n${rows.join('')}} as const;\nexport type ${name} = (typeof ${name})[keyof typeof ${name}];\n`;
}

function source(schema: Schema): string {
  return schema['x-source'] ? `Document ${schema['x-source']}.` : '';
}
