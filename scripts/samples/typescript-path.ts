import { lineWidth } from '../generate/outputs/method-call.ts';
import { withConstants } from '../generate/typescript/constants.ts';
import { type Literal, literal } from '../generate/typescript/literal.ts';
import type { SpecOperation } from '../spec/model.ts';
import type { Parameter } from '../spec/schema.ts';
import { program, show } from './typescript-program.ts';

/** A program that calls the operation by path with the first example of its request. */
export function pathSample(operation: SpecOperation): string {
  const shown = operation.success.schema ? 'result.data' : 'result.response.status';
  const call = `${pathCall(operation, 'const result = ')};`;
  return program(operation, `${call}\nif (result.error) throw result.error;\n${show(operation, shown)}`);
}

/**
 * A call by path, awaited.
 *
 * @param before - text before the call on its line
 */
function pathCall(operation: SpecOperation, before: string): string {
  const { spec, body } = operation;
  const [example] = Object.values(body?.examples ?? {});
  const path = exampleValues(operation, 'path');
  const query = exampleValues(operation, 'query');
  const params = { ...(path && { path }), ...(query && { query }) };
  const init = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(example && { body: withConstants(spec, body?.schema, example.value) }),
  };
  const begin = `${before}await api.${spec.name}.${operation.method}(${literal(operation.path)}`;
  if (Object.keys(init).length === 0) return `${begin})`;
  return `${begin}, ${literal(init, '', lineWidth - begin.length - ', );'.length)})`;
}

function exampleValues(
  { spec, parameters }: SpecOperation,
  place: Parameter['in'],
): Record<string, Literal> | undefined {
  const values = parameters.filter((parameter) => parameter.in === place);
  if (values.length === 0) return undefined;
  return Object.fromEntries(
    values.map(({ name, schema, example = null }) => [name, withConstants(spec, schema, example)]),
  );
}
