import type { SpecOperation } from '../../scripts/spec/model.ts';
import type { JsonValue, Parameter } from '../../scripts/spec/schema.ts';
import { bodyCases } from './bodies.ts';
import { createJudge, type Fault } from './judge.ts';
import { parameterCases } from './parameters.ts';
import { prune } from './prune.ts';

/** The arguments of a call. */
export interface Call {
  path: Record<string, JsonValue>;
  query: Record<string, JsonValue>;
  body?: JsonValue;
}

/** A call that breaks one keyword at one place. */
export interface Violation extends Fault {
  title: string;
  call: Call;
  /** What else may be reported stands here or below: the place itself, or the `anyOf` around it. */
  within: string[];
}

/** A limit that no call can break on the wire, why, and calls that show it. */
export interface Impossible {
  title: string;
  reason: string;
  /** Whether the client lets the calls go, and whether the mock lets them pass or sees another limit broken. */
  outcome: 'stopped by the client' | 'passes' | 'another limit is broken';
  calls: Call[];
}

export interface OperationCases {
  operation: SpecOperation;
  examples: { title: string; call: Call }[];
  requiredOnly: Call;
  violations: Violation[];
  impossible: Impossible[];
}

/** Every call that the tests make for an operation, derived from its place in the spec. */
export function deriveCases(operation: SpecOperation): OperationCases {
  const judge = createJudge(operation.spec.document);
  const named = Object.entries(operation.body?.examples ?? {});
  const full: Call = { path: exampleValues(operation, 'path'), query: exampleValues(operation, 'query') };
  const required: Call = { path: full.path, query: exampleValues(operation, 'query', true) };
  const { body } = operation;
  if (body && named.length === 0) throw new Error(`${operation.key} has no example of its body`);
  const [, first] = named[0] ?? [];
  const least = body?.required && first ? { ...required, body: prune(judge, body.schema, first.value) } : required;
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
