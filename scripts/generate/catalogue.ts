import type { CatalogueRecord, CatalogueRule, JsonSchema, ProductCatalogue } from '../../src/core/catalogue-record.ts';
import { listOperations, resolve, type Spec } from '../spec/model.ts';
import { sdkOf } from '../spec/parameters.ts';
import type { Rule } from '../spec/schema.ts';
import { catalogueSchema, referencesIn } from './catalogue-schema.ts';
import { header } from './header.ts';
import { source } from './literal.ts';
import { exampleParams } from './method-call.ts';
import type { OperationModel, SpecModel } from './operation-model.ts';

/** `catalogue.ts`: what the commands tell people and agents about each method. The client does not load it. */
export function generateCatalogue(model: SpecModel): string {
  const { methods, schemas, rules } = buildCatalogue(model);
  return `${header(`spec/${model.spec.name}.yaml`)}
import type { ProductCatalogue } from '../../src/core/catalogue-record.ts';

export const ${model.spec.name}Catalogue: ProductCatalogue = {
rules: ${source(rules)},
schemas: {
${Object.entries(schemas)
  .map(([name, schema]) => `${name}: ${source(schema)},\n`)
  .join('')}},
methods: [
${methods.map((method) => `${source(method)},\n`).join('')}],
};
`;
}

/** The catalogue of a spec as data. */
export function buildCatalogue({ spec, operations }: SpecModel): ProductCatalogue {
  const names = methodNames(spec);
  const text = (description: string): string => withMethods(names, description.trim());
  const methods = operations.map((operation) => record(operation, text));
  return {
    rules: (spec.document.info['x-rules'] ?? []).map((rule) => ruleOf(rule, text)),
    schemas: usedSchemas(spec, methods, text),
    methods,
  };
}

function record(operation: OperationModel, text: (description: string) => string): CatalogueRecord {
  const { spec, operation: source, fields, paging, quota, envelope, bodyModel, wrap } = operation;
  const parameters = (place: 'path' | 'query'): Record<string, JsonSchema> =>
    Object.fromEntries(
      fields.filter((field) => field.in === place).map(({ name, schema }) => [name, catalogueSchema(schema, text)]),
    );
  const required = fields.filter((field) => field.in === 'query' && field.required).map(({ name }) => name);
  const encode = fields.flatMap(({ name, encoding }) => (encoding ? [[name, encoding]] : []));
  const rules = (source['x-rules'] ?? []).map((rule) => ruleOf(rule, text));
  const statuses = Object.entries(source.responses).filter(([status]) => /^[45]\d\d$/.test(status));
  const errors = Object.entries(source['x-errors'] ?? {}).map(([code, { meaning }]) => [code, text(meaning)]);
  const { payload } = envelope;
  const isList = envelope.inferredList || (payload && resolve(spec.document, payload).type === 'array');
  return without({
    name: operation.place,
    id: operation.operationId,
    method: operation.method,
    path: `${operation.base}${operation.path}`,
    summary: source.summary,
    description: text(source.description),
    effect: source['x-effect'],
    deprecated: source.deprecated === true ? true : undefined,
    inPath: filled(parameters('path')),
    inQuery: filled(parameters('query')),
    requiredInQuery: required.length > 0 ? required : undefined,
    body: bodyModel,
    ownFields: bodyModel && spec.document.components.schemas[bodyModel]?.['x-record'] ? (true as const) : undefined,
    wrap,
    encode: filled(Object.fromEntries(encode)),
    paging:
      paging &&
      without({
        limit: paging.limit,
        offset: paging.offset,
        maximum: paging.maximum,
        inferred: paging['x-inferred'] ? (true as const) : undefined,
      }),
    returns: isList ? 'list' : payload ? 'value' : 'nothing',
    rules: rules.length > 0 ? rules : undefined,
    quota: quota && { requests: quota.requests, seconds: quota.seconds, per: quota.per },
    statuses: filled(
      Object.fromEntries(
        statuses.map(([status, response]) => [status, resolve(spec.document, response).description.trim()]),
      ),
    ),
    errors: filled(Object.fromEntries(errors)),
    example: exampleParams(operation, fields),
  });
}

/** The schemas of bodies, and those that they refer to. */
function usedSchemas(
  { document }: Spec,
  methods: readonly CatalogueRecord[],
  text: (description: string) => string,
): Record<string, JsonSchema> {
  const parameters = methods.flatMap(({ inPath = {}, inQuery = {} }) => [inPath, inQuery].flatMap(Object.values));
  const names = new Set([...methods.flatMap(({ body }) => body ?? []), ...parameters.flatMap(referencesIn)]);
  const schemas: Record<string, JsonSchema> = {};
  for (const name of names) {
    const schema = document.components.schemas[name];
    if (!schema) throw new Error(`There is no schema ${name}`);
    schemas[name] = catalogueSchema(schema, text);
    for (const reference of referencesIn(schemas[name])) names.add(reference);
  }
  return schemas;
}

/** How a text refers to each operation by path → the name of its method. */
function methodNames(spec: Spec): [reference: string, name: string][] {
  return listOperations(spec).map((other) => [`\`${other.key}\``, `\`${spec.name}.${sdkOf(other).method}\``]);
}

/** Names the method in place of operations that a text refers to by path. */
function withMethods(names: [reference: string, name: string][], text: string): string {
  return names.reduce((all, [reference, name]) => all.replaceAll(reference, name), text);
}

function ruleOf({ id, text: own }: Rule, text: (description: string) => string): CatalogueRule {
  return { id, text: text(own) };
}

function filled<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}

/** What is set, so that the generated record has no `undefined`. */
function without<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };
}
