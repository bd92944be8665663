import { resolve } from '../spec/model.ts';
import { pascalCase, propertyKey } from './names.ts';
import type { OperationModel, SpecModel } from './operation-model.ts';

/** The part of `zod.ts` that names the schemas of each operation, for its input and its response. */
export function writeValidators({ spec, operations }: SpecModel): string {
  return `
/** Schemas of the request and the reply of each operation, by operationId. */
export const ${spec.name}Validators = {
${operations.map((operation) => `${operation.operationId}: { ${validatorsOf(operation).join(', ')} },\n`).join('')}};
`;
}

function validatorsOf(operation: OperationModel): string[] {
  const { operationId, parameters, body, success } = operation;
  const validator = (part: string): string => `z${pascalCase(operationId)}${part}`;
  const inside = jsonFields(operation);
  return [
    parameters.some((parameter) => parameter.in === 'path') && `path: ${validator('Path')}`,
    parameters.some((parameter) => parameter.in === 'query') && `query: ${validator('Query')}`,
    parameters.some((parameter) => parameter.in === 'header') && `header: ${validator('Headers')}`,
    body && `body: ${validator('Body')}`,
    inside.length > 0 && `json: { ${inside.join(', ')} }`,
    success.schema && `reply: ${validator('Response')}`,
  ].filter((part) => typeof part === 'string');
}

/** Body fields that hold JSON as text, with the schema of the JSON. */
function jsonFields({ operationId, fields, spec }: OperationModel): string[] {
  return fields.flatMap(({ name, encoding, schema }) => {
    if (encoding !== 'json') return [];
    const reference = resolve(spec.document, schema).contentSchema?.$ref;
    if (!reference)
      throw new Error(`${operationId}: the contentSchema of ${name} must refer to a schema of components`);
    return `${propertyKey(name)}: z${pascalCase(reference.slice(reference.lastIndexOf('/') + 1))}`;
  });
}
