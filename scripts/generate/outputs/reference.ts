import type { JsonSchema, OperationReference, Rule } from '../../../src/shared/reference.ts';
import { effectOf } from '../../spec/effect.ts';
import { resolve, type Spec } from '../../spec/model.ts';
import { readPeople } from '../../spec/people.ts';
import type * as Document from '../../spec/schema.ts';
import type { OperationModel, SpecModel } from '../model/operation-model.ts';
import { header } from '../typescript/header.ts';
import { lines, source } from '../typescript/literal.ts';
import { readFacts } from './facts.ts';
import { exampleParams } from './method-call.ts';
import { referenceSchema } from './reference-schema.ts';

/** Facts of a spec that the client does not need at run time. */
export interface Reference {
  operations: Record<string, OperationReference>;
  /** Behaviour rules by id: those of the product, then those of its operations. */
  rules: Record<string, Rule>;
  /** Schemas of bodies and parameters, in the form that methods take. */
  schemas: Record<string, JsonSchema>;
  /** Schema → fields that identify a record for readers. */
  titles: Record<string, string[]>;
}

/** `reference.ts`: a {@link Reference} as data, for commands and jobs. The sandbox uses only its rules and facts. */
export function generateReference(model: SpecModel): string {
  const { name } = model.spec;
  const { operations, rules, schemas, titles } = buildReference(model);
  return `${header(`spec/${name}.yaml`)}
/** Description of each operation, by operationId. */
export const ${name}Reference = {
${lines(operations)}} as const;

/** Documented rules, by ID. */
export const ${name}Rules = {
${lines(rules)}} as const;

/** Schemas of bodies and parameters, in the form for methods, by name. */
export const ${name}Schemas = {
${lines(schemas)}} as const;

/** Fields that identify a record to a reader, by the name of its schema. */
export const ${name}Titles = {
${lines(titles)}} as const;

/** Single values from the spec, by name. */
export const ${name}Facts = ${source(readFacts(model.spec))} as const;
`;
}

export function buildReference({ spec, operations, methodNames }: SpecModel): Reference {
  /** Replaces references to operations by path with method names. */
  const text = (description: string): string =>
    description.trim().replace(/`([A-Z]+ \/[^`]*)`/g, (reference, key) => {
      const name = methodNames.get(key);
      return name === undefined ? reference : `\`${spec.name}.${name}\``;
    });
  const references = operations.map((operation) => [operation.operationId, referenceOf(operation, text)] as const);
  const ofProduct = (spec.openapi.info['x-rules'] ?? []).map((rule) => ruleOf(rule, text));
  const ofOperations = operations.flatMap(({ operationId, operation }) =>
    (operation['x-rules'] ?? []).map((rule) => ruleOf(rule, text, operationId)),
  );
  const bodies = references.flatMap(([, { body }]) => body ?? []);
  const used = [...bodies, ...references.flatMap(([, { parameters = {} }]) => referencesIn(parameters))];
  return {
    operations: Object.fromEntries(references),
    rules: Object.fromEntries([...ofProduct, ...ofOperations]),
    schemas: usedSchemas(spec, used, (schema) => referenceSchema(schema, text)),
    titles: Object.fromEntries(
      Object.entries(spec.openapi.components.schemas).flatMap(([name, { 'x-title': title }]) =>
        title ? [[name, title]] : [],
      ),
    ),
  };
}

type Rewrite = (description: string) => string;

function referenceOf(operation: OperationModel, text: Rewrite): OperationReference {
  const { spec, operation: source, fields, body, bodyModel, quota, envelope, success } = operation;
  const parameters = fields.flatMap((field) =>
    field.in === 'body' ? [] : [[field.name, referenceSchema(field.schema, text)] as const],
  );
  const requiredParameters = fields.flatMap(({ in: place, name, required }) =>
    place === 'query' && required ? [name] : [],
  );
  const statuses = Object.entries(source.responses).flatMap(([status, response]) =>
    /^[45]\d\d$/.test(status) ? [[status, resolve(spec.openapi, response).description.trim()] as const] : [],
  );
  const errors = Object.entries(source['x-errors'] ?? {}).map(
    ([code, { meaning, advice, ...rest }]) =>
      [code, { meaning: text(meaning), advice: text(advice), ...rest }] as const,
  );
  const rules = (source['x-rules'] ?? []).map(({ id }) => id);
  const { payload } = envelope;
  const isList = envelope.inferredList || (payload && resolve(spec.openapi, payload).type === 'array');
  const record = payload && resolve(spec.openapi, payload);
  const item = record?.items ? resolve(spec.openapi, record.items) : record;
  // A detailed record extends the record of the list.
  const parts = [item, ...(item?.allOf ?? []).map((part) => resolve(spec.openapi, part))];
  const title = parts.map((schema) => schema?.['x-title']).find((fields) => fields !== undefined);
  const { kind, ...facts } = effectOf(source);
  const hasOwnFields = bodyModel && spec.openapi.components.schemas[bodyModel]?.['x-record'];
  return {
    summary: source.summary,
    description: text(source.description),
    effect: kind,
    ...(source['x-undo'] && { undo: source['x-undo'] }),
    ...(source['x-people'] && { people: readPeople(source['x-people']) }),
    ...facts,
    status: Number(success.status),
    ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    ...(requiredParameters.length > 0 && { requiredParameters }),
    ...(bodyModel && { body: bodyModel }),
    ...(body?.required && { bodyRequired: true }),
    ...(hasOwnFields && { ownFields: true }),
    ...(title && { title }),
    returns: isList ? 'list' : payload ? 'value' : 'nothing',
    ...(rules.length > 0 && { rules }),
    ...(quota && { quota: { requests: quota.requests, seconds: quota.seconds, per: quota.per } }),
    ...(statuses.length > 0 && { statuses: Object.fromEntries(statuses) }),
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
    example: exampleParams(operation, fields),
  };
}

function ruleOf(
  { id, source: section, text: own, values }: Document.Rule,
  text: Rewrite,
  operation?: string,
): [id: string, rule: Rule] {
  return [id, { source: section, text: text(own), ...(operation && { operation }), ...(values && { values }) }];
}

/**
 * The components with these names, and those that they refer to, in the form of a generated file.
 *
 * @param write - converts a component
 */
function usedSchemas<Written extends object>(
  { openapi }: Spec,
  names: Iterable<string>,
  write: (schema: Document.Schema) => Written,
): Record<string, Written> {
  const used = new Set(names);
  const schemas: Record<string, Written> = {};
  for (const name of used) {
    const schema = openapi.components.schemas[name];
    if (!schema) throw new Error(`There is no schema ${name}`);
    schemas[name] = write(schema);
    for (const reference of referencesIn(schemas[name])) used.add(reference);
  }
  return schemas;
}

/** The components that a value refers to, in a spec or in a generated file. */
function referencesIn(value: object): string[] {
  const references = JSON.stringify(value).matchAll(/"#\/(?:components\/schemas|\$defs)\/(\w+)"/g);
  return Array.from(references, ([, name = '']) => name);
}
