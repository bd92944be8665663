import { capitalize, pascalCase } from '../../../scripts/generate/typescript/names.ts';
import { deriveEnvelope } from '../../../scripts/spec/envelope.ts';
import { listOperations, resolve, type Spec, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue, Schema } from '../../../scripts/spec/schema.ts';
import { deriveCases } from './cases.ts';
import { contentInSource, flatParams, takesParams } from './flat.ts';
import { placeOf } from './methods.ts';
import { misspellValue, readNames } from './misspellings.ts';

/** A source file with imports and a statement per operation. `Part` and `Entry` name the same types through two entries. */
export function program(spec: Spec, write: (operation: SpecOperation) => string, operations: SpecOperation[]): string {
  const { name } = spec;
  return `import { type Client, ${capitalize(name)} as Part } from '../../../src/client/index.ts';
import type * as Entry from '../../../src/client/${name}.ts';
declare const api: Client['${name}'];
${operations.map(write).join('')}`;
}

/** Calls with every documented example, inline and through the named type. */
export function calls(operation: SpecOperation): string {
  const method = `api.${placeOf(operation)}`;
  if (!takesParams(operation)) return `${method}();\n`;
  const type = `${typeName(operation)}Params`;
  return paramsOf(operation)
    .map(source)
    .map(
      (params) =>
        `${method}(${params});\n{ const a: Part.${type} = ${params}; const b: Entry.${type} = a; ${method}(b); }\n`,
    )
    .join('');
}

/** The same calls, each with a misspelt name. */
export function misspeltCalls(operation: SpecOperation): string {
  const schema: Schema = { type: 'object', properties: fieldsOf(operation) };
  return paramsOf(operation)
    .flatMap((params) => misspellValue(operation.spec.openapi, schema, params))
    .map((params) => `// @ts-expect-error\napi.${placeOf(operation)}(${source(params)});\n`)
    .join('');
}

/** Reads every documented name of a result, correctly and misspelt. */
export function reads(operation: SpecOperation): string {
  const type = `${typeName(operation)}Result`;
  const payload = payloadOf(operation);
  if (!payload) return `((result: Part.${type}) => { const none: void = result; return none; });\n`;
  const { openapi } = operation.spec;
  const names = readNames(openapi, isPaged(operation) ? (resolve(openapi, payload).items ?? {}) : payload, 'result');
  const given = `Awaited<ReturnType<typeof api.${placeOf(operation)}>>${isPaged(operation) ? "['data'][number]" : ''}`;
  return `((result: ${given}, a: Part.${type}, b: Entry.${type}) => {
  result = a; a = result; b = a; a = b;
${names.map(({ right, wrong }) => `  ${right};\n  // @ts-expect-error\n  ${wrong};\n`).join('')}});\n`;
}

/** Checks that payload and meta have the same types by method and by path. */
export function levels(operation: SpecOperation): string {
  if (!payloadOf(operation)) return '';
  const { name } = operation.spec;
  const method = `Awaited<ReturnType<ReturnType<typeof api.${placeOf(operation)}>['withResponse']>>`;
  const path = `Entry.${capitalize(name)}Paths['${operation.method}']['${operation.path}']`;
  const data = `${method}['data']${isPaged(operation) ? "['data']" : ''}`;
  return `((a: ${data}, b: ${path}['data'], metaA: ${method}['meta'], metaB: ${path}['meta']) => {
  a = b; b = a; metaA = metaB; metaB = metaA;
});\n`;
}

/** Declares a custom field of every open record, and the type of every field of responses that is `unknown`. */
export function augmentations(spec: Spec): string {
  const own = Object.keys(spec.openapi.components.schemas)
    .filter((name) => isOpenRecord(spec, name))
    .map((name) => ({ name, field: 'own_field' }));
  const declared = [...own, ...unknownFields(spec)];
  return `import type * as Entry from '../../../src/client/${spec.name}.ts';
declare module '../../../src/client/${spec.name}.ts' {
${declared.map(({ name, field }) => `  interface ${name}Fields { ${field}?: string }\n`).join('')}}
${declared.map(({ name, field }) => `((record: Entry.${name}): string | undefined => record.${field});\n`).join('')}`;
}

/** Every field of successful responses whose type, or that of its items, is not documented, with its component. */
export function unknownFields(spec: Spec): { name: string; field: string }[] {
  const { openapi } = spec;
  const found = new Map<string, { name: string; field: string }>();
  const seen = new Set<string>();
  const visit = (node: Schema, name: string | undefined): void => {
    const { $ref: reference = '', properties = {}, items, allOf = [], anyOf = [] } = node;
    if (reference && !seen.has(reference)) {
      seen.add(reference);
      visit(resolve(openapi, node), reference.split('/').at(-1));
    }
    for (const [field, schema] of Object.entries(properties)) {
      const type = resolve(openapi, resolve(openapi, schema).items ?? schema);
      if (type.type ?? type.enum ?? type.const ?? type.anyOf ?? type.allOf) visit(schema, undefined);
      else if (name) found.set(`${name} ${field}`, { name, field });
      else
        throw new Error(
          `'${field}' is ${JSON.stringify(schema)}: move its object into a component, so that users can declare it`,
        );
    }
    for (const part of [items, ...allOf, ...anyOf]) if (part) visit(part, undefined);
  };
  for (const operation of listOperations(spec)) {
    const { schema } = resolve(openapi, operation.success.response).content?.['application/json'] ?? {};
    if (schema) visit(schema, undefined);
  }
  return [...found.values()];
}

/** A record or filter with undocumented fields. */
function isOpenRecord({ openapi }: Spec, name: string): boolean {
  const schema = openapi.components.schemas[name];
  return schema?.type === 'object' && schema.additionalProperties === true;
}

function paramsOf(operation: SpecOperation): Record<string, JsonValue>[] {
  const { examples, requiredOnly } = deriveCases(operation);
  const params = [...examples.map(({ call }) => call), requiredOnly].map((call) =>
    flatParams(operation, call, 'source'),
  );
  return params.map((values) => JSON.parse(JSON.stringify(values)));
}

/** Source text of parameters. */
function source(params: unknown): string {
  return JSON.stringify(params).replaceAll(JSON.stringify(contentInSource), 'new Uint8Array()');
}

/** Schemas of the flat parameters, decoded. */
function fieldsOf(operation: SpecOperation): Record<string, Schema> {
  const { openapi } = operation.spec;
  const sdk = operation.operation['x-sdk'];
  const outer = operation.body ? resolve(openapi, operation.body.schema) : {};
  const wrap = typeof sdk === 'string' ? undefined : sdk.unwrapBody;
  const body = wrap === undefined ? outer : resolve(openapi, outer.properties?.[wrap] ?? {});
  const fields = Object.entries(body.properties ?? {});
  return Object.fromEntries([
    ...operation.parameters.map(({ name, schema }) => [name, schema]),
    ...fields.map(([name, schema]) => [name, resolve(openapi, schema).contentSchema ?? schema]),
  ]);
}

function payloadOf(operation: SpecOperation): Schema | undefined {
  return deriveEnvelope(operation).payload;
}

function isPaged({ operation }: SpecOperation): boolean {
  return operation['x-pagination'] !== undefined;
}

function typeName(operation: SpecOperation): string {
  return pascalCase(placeOf(operation));
}
