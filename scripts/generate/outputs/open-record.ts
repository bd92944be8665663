import { resolve } from '../../spec/model.ts';
import type { Schema } from '../../spec/schema.ts';
import { propertyKey } from '../typescript/names.ts';
import { tsdoc } from '../typescript/tsdoc.ts';
import { interfaceText, members, type TypeContext, typeOf } from '../typescript/type-text.ts';

/** A component whose shape is not fully documented. */
interface OpenRecord {
  name: string;
  schema: Schema;
  context: TypeContext;
  /** Comment of the record. */
  comment: string;
  /** Other interfaces that the record extends. */
  bases: string[];
  /** Whether bodies write the record (`x-record`). */
  isWritten: boolean;
  /** Paging fields of the list, if the record is an open filter. */
  paging: string;
}

/** Whether a component can have fields that are not documented. */
export function isOpenRecord(schema: Schema): boolean {
  return schema.type === 'object' && schema.additionalProperties === true;
}

/** Names of the fields of a response whose types are not documented: `unknown`, `unknown[]` and the like. */
export function openFields({ properties = {} }: Schema, context: TypeContext): string[] {
  if (context.request) return [];
  return Object.keys(properties).filter((name) => {
    const type = typeOf(resolve(context.spec.openapi, properties[name] ?? {}), context);
    return !type.includes('\n') && /\bunknown\b/.test(type);
  });
}

/** The type of the fields that users declare for a record, for the bodies that write it. */
export function ownFields(record: string): string {
  return `${record}OwnFields`;
}

/**
 * A record, and the interface to which users add fields. That interface has the documented fields, so that the compiler
 * reports another type for one of them where a user declares it. A declared type replaces one that is not documented.
 */
export function openRecord(record: OpenRecord): string {
  const { name, schema, context, comment, bases, isWritten, paging } = record;
  const entries = Object.entries(schema.properties ?? {});
  const open = openFields(schema, context);
  const membersOf = (part: [string, Schema][]): string =>
    members({ ...schema, properties: Object.fromEntries(part) }, context, '  ');
  const fields = `${name}Fields`;
  const documented = paging + membersOf(entries.filter(([field]) => !open.includes(field)));
  const declarations = [`${fieldsDocs(record, open)}export ${interfaceText(fields, [], documented)}`];
  const extended = [...bases, fields];
  if (open.length > 0) {
    const replaced = entries.flatMap(([field, { description = '', ...rest }]): [string, Schema][] =>
      open.includes(field)
        ? [[field, { ...rest, description: `${description} You can declare the type in \`${fields}\`.` }]]
        : [],
    );
    const comment = `/** Fields of \`${name}\` with undocumented types. Those that \`${fields}\` declares replace them. */\n`;
    declarations.push(comment + interfaceText(`${name}OpenFields`, [], membersOf(replaced)));
    extended.push(`Omit<${name}OpenFields, keyof ${fields}>`);
  }
  if (isWritten) {
    const names = entries.map(([field]) => JSON.stringify(field)).join(' | ');
    const comment = `/** Fields that you add to \`${fields}\`, which bodies take. */\n`;
    declarations.push(`${comment}type ${ownFields(name)} = Omit<${fields}, ${names || 'never'}>;\n`);
  }
  return [...declarations, `${comment}export ${interfaceText(name, extended)}`].join('\n');
}

function fieldsDocs({ name, schema, context, paging }: OpenRecord, open: string[]): string {
  const isOpen = isOpenRecord(schema);
  const own = paging
    ? 'The documents do not list any others. Declare the fields that you use here, to add them to request bodies and parameters of methods.'
    : 'Declare custom fields of your account here, to add them to responses, request bodies and parameters of methods.';
  const examples = open.slice(0, 1).map((field) => {
    const type = typeOf(schema.properties?.[field] ?? {}, context).replace('unknown', '{ my_key: string }');
    return `${propertyKey(field)}?: ${type};`;
  });
  const lines = [...(isOpen ? ['my_field?: string;'] : []), ...examples].map((line) => `    ${line}\n`);
  const example = `declare module 'carillon/${context.spec.name}' {\n  interface ${name}Fields {\n${lines.join('')}  }\n}`;
  const names = open.map((field) => `\`${field}\``).join(', ');
  return tsdoc([
    `Documented fields of \`${name}\`.${isOpen ? ` ${own}` : ''}`,
    names && `Declare here what responses contain in fields with undocumented types: ${names}.`,
    { tag: 'example', text: `\`\`\`ts\n${example}\n\`\`\`` },
  ]);
}
