import { literal } from '../generate/literal.ts';
import { lineWidth } from '../generate/method-call.ts';
import type { SpecOperation } from '../spec/model.ts';
import type { JsonValue, Parameter } from '../spec/schema.ts';
import { joinParts } from './parts.ts';
import { declared, program, show } from './typescript-program.ts';

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
 * @param before - text before it on its line
 */
function pathCall(operation: SpecOperation, before: string): string {
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
