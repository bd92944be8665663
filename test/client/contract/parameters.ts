import { resolve, type SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue, Parameter, Schema } from '../../../scripts/spec/schema.ts';
import { valueAt, withoutKeys, withValue } from '../../support/json-value.ts';
import type { Judge } from '../../support/judge.ts';
import { type Break, breaksOf } from './breaks.ts';
import type { Call, OperationCases, Violation } from './case-types.ts';

type ParameterCases = Pick<OperationCases, 'violations' | 'impossible'>;

/** Calls that each break one parameter. Parameters are text on the wire, and the client guards values in a path. */
export function parameterCases(operation: SpecOperation, judge: Judge, valid: Call): ParameterCases {
  const cases: ParameterCases = { violations: [], impossible: [] };
  for (const parameter of operation.parameters) {
    const schema = resolve(operation.spec.openapi, parameter.schema);
    if (schema.anyOf || schema.oneOf || schema.properties) {
      throw new Error(`${operation.key}: no case is derived for a parameter like ${parameter.name}`);
    }
    if (schema.items) {
      cases.violations.push(...itemCases(parameter, resolve(operation.spec.openapi, schema.items), valid));
      continue;
    }
    const found =
      parameter.in === 'path' ? pathCases(parameter, schema, valid) : textCases(parameter, schema, judge, valid);
    cases.violations.push(...found.violations);
    cases.impossible.push(...found.impossible);
  }
  return cases;
}

function pathCases({ name, example }: Parameter, schema: Schema, valid: Call): ParameterCases {
  const put = (value: JsonValue): Call => ({ ...valid, path: { ...valid.path, [name]: value } });
  const guarded = (title: string, reason: string, calls: Call[]) =>
    ({ title: `path.${name} ${title}`, reason, outcome: 'stopped by the client', calls }) as const;
  const unsafe = ['', '.', '..', '%2e%2E'];
  const cases: ParameterCases = { violations: [], impossible: [] };
  for (const found of breaksOf(schema, example)) {
    if (found.keyword !== 'type') cases.violations.push(violation('path', name, found, put));
    else cases.impossible.push(guarded(found.words, 'the client checks the type', found.values.map(put)));
  }
  cases.impossible.push(
    guarded('is missing', 'the client refuses a path with a gap', [
      { ...valid, path: withoutKeys(valid.path, [name]) },
      put(null),
    ]),
    guarded(`is '${unsafe.join("', '")}'`, 'it would lead to another path', unsafe.map(put)),
  );
  return cases;
}

/** Cases for a parameter in the query, which is text. */
function textCases(parameter: Parameter, schema: Schema, judge: Judge, valid: Call): ParameterCases {
  const { name, example, required } = parameter;
  const put = (value: JsonValue): Call => ({ ...valid, query: { ...valid.query, [name]: value } });
  const cases: ParameterCases = { violations: [], impossible: [] };
  if (required) {
    const call = { ...valid, query: withoutKeys(valid.query, [name]) };
    const location = ['query', name];
    cases.violations.push({
      title: `query.${name} is missing`,
      keyword: 'required',
      location,
      within: location,
      call,
    });
  }
  for (const found of breaksOf(schema, example)) {
    if (found.keyword !== 'type' || !isText(schema)) {
      cases.violations.push(violation('query', name, found, put));
      continue;
    }
    const numbers = found.values.filter((value) => typeof value === 'number');
    const isFree = schema.format === undefined && numbers.every((value) => judge(schema, String(value)).length === 0);
    cases.impossible.push({
      title: `query.${name} ${found.words}`,
      reason: 'a query contains text, whatever was given',
      outcome: isFree ? 'passes' : 'another limit is broken',
      calls: numbers.map(put),
    });
  }
  return cases;
}

/** Calls that each break an item of a list, which is text on the wire. */
function itemCases({ name, example = null }: Parameter, item: Schema, valid: Call): Violation[] {
  const put = (value: JsonValue): Call => ({
    ...valid,
    query: { ...valid.query, [name]: withValue(example, ['0'], value) },
  });
  return breaksOf(item, valueAt(example, ['0']))
    .filter(({ keyword }) => keyword !== 'type' || !isText(item))
    .map((found) => violation('query', name, found, put, '0'));
}

/** A violation with the first breaking value that can be written as text. */
function violation(
  place: string,
  name: string,
  found: Break,
  put: (value: JsonValue) => Call,
  ...inner: string[]
): Violation {
  const value = found.values.find((candidate) => typeof candidate === 'string' || typeof candidate === 'number');
  if (value === undefined) throw new Error(`No text breaks '${found.keyword}' of ${place}.${name}`);
  const location = [place, name, ...inner];
  const title = `${location.join('.')} ${found.words}`;
  return { title, keyword: found.keyword, location, within: location, call: put(value) };
}

function isText(schema: Schema): boolean {
  return [schema.type].flat().includes('string');
}
