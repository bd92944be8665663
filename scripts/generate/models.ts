import { listOperations, type Spec } from '../spec/model.ts';
import { hasOpenBody } from '../spec/parameters.ts';
import type { Schema } from '../spec/schema.ts';
import { header } from './header.ts';
import { propertyKey } from './names.ts';
import { schemaDocs } from './schema-docs.ts';
import { tsdoc } from './tsdoc.ts';
import { members, type TypeContext, typeOf } from './typescript.ts';

/**
 * `models.ts`: every component schema under its own name. Objects are interfaces, so that a user adds an account's own
 * fields by module augmentation; enums with named values are constants as well as types.
 */
export function generateModels(spec: Spec): string {
  const openBodies = new Set(
    listOperations(spec)
      .filter(hasOpenBody)
      .map(({ body }) => body?.schema.$ref),
  );
  const models = Object.entries(spec.document.components.schemas).map(([name, schema]) => {
    const context: TypeContext = { spec, prefix: '', source: schema['x-source'] };
    return model(name, schema, context, openBodies.has(`#/components/schemas/${name}`));
  });
  return `${header(`spec/${spec.name}.yaml`)}\n${models.join('\n')}`;
}

function model(name: string, schema: Schema, context: TypeContext, isOpenBody: boolean): string {
  const comment = tsdoc(schemaDocs(schema, { source: context.source }));
  if (schema.enum && schema['x-enum-varnames']) return comment + constants(name, schema);
  const { bases, own } = inheritance(schema);
  // An open body takes any field, so it alone keeps its index signature.
  const isRecord = own.properties || bases.length > 0 || own.additionalProperties === true;
  if (own.type === 'object' && isRecord && !isOpenBody) {
    const heritage = bases.length > 0 ? ` extends ${bases.map((base) => typeOf(base, context)).join(', ')}` : '';
    const body = own.properties ? `{\n${members(own, context, '  ')}}` : '{}';
    return `${comment}export interface ${name}${heritage} ${body}\n`;
  }
  return `${comment}export type ${name} = ${typeOf(schema, context)};\n`;
}

/** `allOf` of components and at most one object of its own is inheritance: what a user adds to the base, it has too. */
function inheritance(schema: Schema): { bases: Schema[]; own: Schema } {
  const bases = schema.allOf?.filter((part) => part.$ref) ?? [];
  const [own = { type: 'object' }, ...more] = schema.allOf?.filter((part) => !part.$ref) ?? [];
  return bases.length > 0 && more.length === 0 ? { bases, own } : { bases: [], own: schema };
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
