import { listOperations, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue, OperationObject, Parameter, Schema } from '../../../scripts/spec/schema.ts';

/** An operation with a custom schema. */
export function smallOperation(schema: Schema, example: JsonValue, parameters: Parameter[] = []): SpecOperation {
  const operation: OperationObject = {
    operationId: 'createThing',
    summary: 'Create a thing',
    description: 'Creates a thing.',
    tags: ['Things'],
    'x-sdk': 'things.create',
    'x-effect': 'write',
    'x-undo': 'none',
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: { ordinary: { value: example } } } },
    },
    responses: { '204': { description: 'Created.' } },
  };
  const openapi = {
    openapi: '3.1.1',
    info: { title: 'Things', version: '1', 'x-document': { number: 1, sections: 9 } },
    servers: [{ url: '{base_url}' }],
    tags: [{ name: 'Things' }],
    'x-tagGroups': [{ name: 'Things', tags: ['Things'] }],
    paths: { '/things': { post: operation } },
    components: { schemas: { Tree: tree } },
  };
  const [found] = listOperations({ name: 'crm', file: 'things.yaml', openapi });
  if (!found) throw new Error('The small spec has no operation');
  return found;
}

/** A recursive schema. */
const tree: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, branch: { $ref: '#/components/schemas/Tree' } },
};
