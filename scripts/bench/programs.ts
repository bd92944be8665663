import { methodCall } from '../generate/method-call.ts';
import type { SpecOperation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import type { JsonValue, Parameter } from '../spec/schema.ts';

/** Programs that call every operation once, with the first examples of the specs. */
export const programs = {
  method: (operations: SpecOperation[]): string =>
    program(operations, (operation) => methodCall(operation, flatFields(operation), { constants: false })),
  path: (operations: SpecOperation[]): string => program(operations, pathCall),
};

function program(operations: SpecOperation[], call: (operation: SpecOperation) => string): string {
  return `import { createClient } from 'carillon';
const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
${operations.map((operation) => `${call(operation)};\n`).join('')}`;
}

/** A call by path, in the style of openapi-fetch. */
export function pathCall(operation: SpecOperation): string {
  const { body, ...params } = exampleRequest(operation);
  const init = { ...(Object.keys(params).length > 0 && { params }), ...(body !== undefined && { body }) };
  const given = Object.keys(init).length > 0 ? `, ${JSON.stringify(init)}` : '';
  return `await api.${operation.spec.name}.${operation.method}(${JSON.stringify(operation.path)}${given})`;
}

/** The first documented request, with only the parts that the operation has. */
export function exampleRequest(operation: SpecOperation): {
  path?: Record<string, JsonValue>;
  query?: Record<string, JsonValue>;
  body?: JsonValue;
} {
  const [example] = Object.values(operation.body?.examples ?? {});
  const path = exampleValues(operation, 'path');
  const query = exampleValues(operation, 'query');
  return { ...(path && { path }), ...(query && { query }), ...(example && { body: example.value }) };
}

function exampleValues({ parameters }: SpecOperation, place: Parameter['in']): Record<string, JsonValue> | undefined {
  const values = parameters.filter((parameter) => parameter.in === place);
  if (values.length === 0) return undefined;
  return Object.fromEntries(values.map(({ name, example }) => [name, example ?? null]));
}
