import { modelSpec, type SpecModel } from '../../../scripts/generate/model/operation-model.ts';
import type { Spec } from '../../../scripts/spec/model.ts';
import type { JsonValue, OperationObject, Schema } from '../../../scripts/spec/schema.ts';

/** An operation with the required members, for a test's own spec. */
export function operation(sdk: OperationObject['x-sdk'], more: Partial<OperationObject> = {}): OperationObject {
  const name = typeof sdk === 'string' ? sdk : sdk.method;
  return {
    operationId: name.replaceAll('.', '_'),
    summary: 'Do a thing',
    description: 'Does a thing.',
    tags: ['Things'],
    'x-source': '1 §4',
    'x-sdk': sdk,
    'x-effect': 'write',
    'x-undo': 'none',
    responses: { '204': { description: 'Done.' } },
    ...more,
  };
}

/** A JSON body with an example. */
export function body(schema: Schema, example: JsonValue = {}): Pick<OperationObject, 'requestBody'> {
  return {
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: { first: { value: example } } } },
    },
  };
}

/** A successful response with a JSON body. */
export function response(schema: Schema): Pick<OperationObject, 'responses'> {
  return { responses: { '200': { description: 'Done.', content: { 'application/json': { schema } } } } };
}

/** A spec with operations by `METHOD /path`. */
export function smallSpec(operations: Record<string, OperationObject>, schemas: Record<string, Schema> = {}): Spec {
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const [key, object] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: object };
  }
  const openapi = {
    openapi: '3.1.1',
    info: { title: 'Things', version: '1', 'x-document': { number: 1, sections: 9 } },
    servers: [{ url: '{base_url}' }],
    tags: [{ name: 'Things' }],
    'x-tagGroups': [{ name: 'Things', tags: ['Things'] }],
    paths,
    components: { schemas },
  };
  return { name: 'crm', file: 'things.yaml', openapi };
}

/** The models of a spec with operations by `METHOD /path`. */
export function smallModel(...spec: Parameters<typeof smallSpec>): SpecModel {
  return modelSpec(smallSpec(...spec));
}

/** The declaration of an interface in generated source. */
export function declared(text: string, name: string): string {
  return new RegExp(`export interface ${name}(?: extends [^{]+)? \\{[\\s\\S]*?\\n\\}`).exec(text)?.[0] ?? `no ${name}`;
}
