import { resolve, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue, OpenApi, Parameter, Schema } from '../../../scripts/spec/schema.ts';
import { createJudge, type Judge } from '../../support/judge.ts';
import { bodyCases } from './bodies.ts';
import type { Call, OperationCases } from './case-types.ts';
import { parameterCases } from './parameters.ts';
import { prune } from './prune.ts';

/** Judges of a document, and of its stricter form with only the fields that parameter types accept. Shared by all operations. */
const judges = new WeakMap<OpenApi, { judge: Judge; strict: Judge }>();

function judgesOf(openapi: OpenApi): { judge: Judge; strict: Judge } {
  const known = judges.get(openapi) ?? { judge: createJudge(openapi), strict: createJudge(withVariants(openapi)) };
  judges.set(openapi, known);
  return known;
}

/** All calls that the tests make for an operation, derived from the spec. */
export function deriveCases(operation: SpecOperation): OperationCases {
  const { judge, strict } = judgesOf(operation.spec.openapi);
  const named = Object.entries(operation.body?.examples ?? {});
  const full: Call = {
    path: exampleValues(operation, 'path'),
    query: exampleValues(operation, 'query'),
  };
  const required: Call = {
    path: full.path,
    query: exampleValues(operation, 'query', true),
  };
  const { body } = operation;
  if (body && named.length === 0) throw new Error(`${operation.key} has no example of its body`);
  const [, first] = named[0] ?? [];
  const isNeeded = body && (body.required || resolve(operation.spec.openapi, body.schema)['x-at-least-one']);
  const least = isNeeded && first ? { ...required, body: prune(strict, body.schema, first.value) } : required;
  const valid = first ? { ...full, body: first.value } : full;
  const parameters = parameterCases(operation, judge, valid);
  const bodies = body ? bodyCases(operation, judge, body, full) : { violations: [], impossible: [] };
  return {
    operation,
    examples:
      named.length === 0
        ? [{ title: 'its documented parameters', call: full }]
        : named.map(([name, { value }]) => ({ title: `the example ${name}`, call: { ...full, body: value } })),
    requiredOnly: least,
    violations: [...parameters.violations, ...bodies.violations],
    impossible: [...parameters.impossible, ...bodies.impossible],
  };
}

/** A document whose schemas accept only what parameter types accept. */
function withVariants(openapi: OpenApi): OpenApi {
  return JSON.parse(
    JSON.stringify(openapi, (_, value: Schema | null) => {
      if (value?.['x-at-least-one']) return { ...value, 'x-at-least-one': undefined, minProperties: 1 };
      const variants = value?.['x-variants'];
      return variants ? { ...value, 'x-variants': undefined, anyOf: Object.values(variants.variants) } : value;
    }),
  );
}

function exampleValues(
  operation: SpecOperation,
  place: Parameter['in'],
  requiredOnly = false,
): Record<string, JsonValue> {
  const wanted = operation.parameters.filter(
    (parameter) => parameter.in === place && (parameter.required || !requiredOnly),
  );
  return Object.fromEntries(
    wanted.map(({ name, example }) => {
      if (example === undefined) throw new Error(`${operation.key}: the parameter ${name} has no example`);
      return [name, example];
    }),
  );
}
