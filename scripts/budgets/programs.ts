import { methodCall } from '../generate/method-docs.ts';
import type { Operation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import type { JsonValue, Parameter } from '../spec/schema.ts';

/** Programs that call every operation once, with the first examples of the specs. */
export const programs: Record<string, (operations: Operation[]) => string> = {
  method: (operations) => program(operations, (operation) => methodCall(operation, flatFields(operation))),
  path: (operations) => program(operations, pathCall),
};

function program(operations: Operation[], call: (operation: Operation) => string): string {
  return `import { createClient } from 'carillon';
const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
${operations.map((operation) => `${call(operation)};\n`).join('')}`;
}

function pathCall(operation: Operation): string {
  const [example] = Object.values(operation.body?.examples ?? {});
  const path = exampleValues(operation, 'path');
  const query = exampleValues(operation, 'query');
  const params = { ...(path && { path }), ...(query && { query }) };
  const init = { ...((path || query) && { params }), ...(example && { body: example.value }) };
  const given = Object.keys(init).length > 0 ? `, ${JSON.stringify(init)}` : '';
  return `await api.${operation.spec.name}.${operation.method}(${JSON.stringify(operation.path)}${given})`;
}

function exampleValues({ parameters }: Operation, place: Parameter['in']): Record<string, JsonValue> | undefined {
  const values = parameters.filter((parameter) => parameter.in === place);
  if (values.length === 0) return undefined;
  return Object.fromEntries(values.map(({ name, example }) => [name, example ?? null]));
}
