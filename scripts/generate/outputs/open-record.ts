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
 * A record, and the interface to which users add fields. The interface contains the documented fields, so that the compiler
 * reports a declaration of a documented field with another type. A declared type replaces an undocumented type.
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
        ? [[field, { ...rest, description: `${description} The type can be declared in \`${fields}\`.` }]]
        : [],
    );
    const comment = `/** Fields of \`${name}\` with undocumented types. Declarations in \`${fields}\` replace these types. */\n`;
    declarations.push(comment + interfaceText(`${name}OpenFields`, [], membersOf(replaced)));
    extended.push(`Omit<${name}OpenFields, keyof ${fields}>`);
  }
  if (isWritten) {
    const names = entries.map(([field]) => JSON.stringify(field)).join(' | ');
    const comment = `/** Fields that programs add to \`${fields}\`. Request bodies accept these fields. */\n`;
    declarations.push(`${comment}type ${ownFields(name)} = Omit<${fields}, ${names || 'never'}>;\n`);
  }
  return [...declarations, `${comment}export ${interfaceText(name, extended)}`].join('\n');
}

function fieldsDocs({ name, schema, context, paging }: OpenRecord, open: string[]): string {
  const isOpen = isOpenRecord(schema);
  const own = paging
    ? 'The documents list no other fields. Declare additional fields here to add them to request bodies and method parameters.'
    : 'Declare custom fields of an account here to add them to responses, request bodies and method parameters.';
  const examples = open.slice(0, 1).map((field) => {
    const type = typeOf(schema.properties?.[field] ?? {}, context).replace('unknown', '{ my_key: string }');
    return `${propertyKey(field)}?: ${type};`;
  });
  const lines = [...(isOpen ? ['my_field?: string;'] : []), ...examples].map((line) => `    ${line}\n`);
  const example = `declare module 'carillon/${context.spec.name}' {\n  interface ${name}Fields {\n${lines.join('')}  }\n}`;
  const names = open.map((field) => `\`${field}\``).join(', ');
  return tsdoc([
    `Documented fields of \`${name}\`.${isOpen ? ` ${own}` : ''}`,
    names && `The documents do not state the types of these fields in responses. Declare the types here: ${names}.`,
    { tag: 'example', text: `\`\`\`ts\n${example}\n\`\`\`` },
  ]);
}
