import type { SpecOperation } from '../spec/model.ts';
import { flatFields } from '../spec/parameters.ts';
import type { JsonValue, Parameter } from '../spec/schema.ts';
import { literal } from './literal.ts';
import { lineWidth, methodCall, readList } from './method-call.ts';
import { defaultBaseUrl, environment, isAnonymous, joinParts } from './samples-parts.ts';

/** The most items that a sample takes of a list. */
const mostItems = 20;

/** A program that calls the operation's method: a list is read in a loop first, then as an array. */
export function methodSample(operation: SpecOperation): string {
  const isList = operation.operation['x-pagination'] !== undefined;
  const name = resultName(operation);
  const firstResult = isList ? 1 : 0;
  const parts = joinParts(operation, '//', (example, index) => {
    const fields = flatFields(example);
    if (isList && index === 0) return readList(example, fields);
    if (!operation.success.schema) return `${methodCall(example, fields)};`;
    const call = methodCall(example, fields, declared(operation, name, index - firstResult, firstResult));
    return `${call}${isList ? `.toArray({ max: ${mostItems} })` : ''};\n${show(operation, name)}`;
  });
  return program(operation, parts);
}

/** A program that calls the operation by its path. */
export function pathSample(operation: SpecOperation): string {
  const name = 'result';
  const parts = joinParts(operation, '//', (example, index) => {
    const call = `${pathCall(example, declared(operation, name, index))};`;
    const shown = operation.success.schema ? `${name}.data` : `${name}.response.status`;
    return `${call}\nif (${name}.error) throw ${name}.error;\n${show(operation, shown)}`;
  });
  return program(operation, parts);
}

/**
 * A call by path with the first example of the request, awaited.
 *
 * @param before - what stands before it on its line
 */
export function pathCall(operation: SpecOperation, before = ''): string {
  const [example] = Object.values(operation.body?.examples ?? {});
  const path = exampleValues(operation, 'path');
  const query = exampleValues(operation, 'query');
  const params = { ...(path && { path }), ...(query && { query }) };
  const init = { ...((path || query) && { params }), ...(example && { body: example.value }) };
  const begin = `${before}await api.${operation.spec.name}.${operation.method}(${literal(operation.path)}`;
  if (Object.keys(init).length === 0) return `${begin})`;
  return `${begin}, ${literal(init, '', lineWidth - begin.length - ', );'.length)})`;
}

function exampleValues({ parameters }: SpecOperation, place: Parameter['in']): Record<string, JsonValue> | undefined {
  const values = parameters.filter((parameter) => parameter.in === place);
  if (values.length === 0) return undefined;
  return Object.fromEntries(values.map(({ name, example }) => [name, example ?? null]));
}

function program(operation: SpecOperation, calls: string): string {
  const auth = isAnonymous(operation) ? 'null' : `{ apiKey: process.env.${environment.apiKey} ?? '' }`;
  return `import { createClient } from 'carillon';

const api = createClient({
  baseUrl: ${literal(defaultBaseUrl(operation))},
  auth: ${auth},
});

${calls}
`;
}

/** What a result is called: `listUsers` gives users; what other verbs give has no name of its own. */
function resultName({ operationId }: SpecOperation): string {
  const [, noun] = /^(?:list|get|create|update)([A-Z]\w*)$/.exec(operationId) ?? [];
  return noun ? noun.charAt(0).toLowerCase() + noun.slice(1) : 'result';
}

/** The beginning of an assignment; a name stands for the result of one example after the other. */
function declared(operation: SpecOperation, name: string, index: number, without = 0): string {
  const count = Object.keys(operation.body?.examples ?? {}).length - without;
  if (index > 0) return `${name} = `;
  return `${count > 1 ? 'let' : 'const'} ${name} = `;
}

/** What is had without a credential is one: its fields are shown, not their values. */
function show(operation: SpecOperation, value: string): string {
  return `console.log(${isAnonymous(operation) ? `Object.keys(${value})` : value});`;
}
