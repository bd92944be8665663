import type { SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue, Schema } from '../../../scripts/spec/schema.ts';
import { isObject, valueAt, withValue } from '../../support/json-value.ts';
import type { Fault, Judge } from '../../support/judge.ts';
import { breaksOf } from './breaks.ts';
import type { Call, OperationCases } from './case-types.ts';
import { listPlaces, type Place } from './places.ts';

type BodyCases = Pick<OperationCases, 'violations' | 'impossible'>;

/** Calls that each break one keyword of the body, at every place in its schema. */
export function bodyCases(
  operation: SpecOperation,
  judge: Judge,
  body: NonNullable<SpecOperation['body']>,
  rest: Call,
): BodyCases {
  const { openapi } = operation.spec;
  const cases: BodyCases = { violations: [], impossible: [] };
  const examples = Object.values(body.examples).map(({ value }) => value);
  if (body.required) {
    const fault = { keyword: 'required', location: ['body'] };
    cases.violations.push({ title: 'body is missing', ...fault, within: ['body'], call: rest });
  }
  for (const place of listPlaces(openapi, judge, body.schema, examples)) {
    const found = placeCases(judge, body.schema, place, rest);
    cases.violations.push(...found.violations);
    cases.impossible.push(...found.impossible);
  }
  return cases;
}

function placeCases(judge: Judge, root: Schema, place: Place, rest: Call): BodyCases {
  const { schema, location, body, choice, described } = place;
  const cases: BodyCases = { violations: [], impossible: [] };
  const name = ['body', ...location].join('.');
  const put = (value: JsonValue): Call => ({ ...rest, body: withValue(body, location, value) });
  for (const { keyword, words, values, missing } of breaksOf(schema, valueAt(body, location))) {
    const at = missing === undefined ? location : [...location, missing];
    const title = `${['body', ...at].join('.')} ${words}`;
    const isDescribed = described?.join('.') === at.join('.');
    const fault = { keyword: isDescribed ? 'anyOf' : keyword, location: ['body', ...at] };
    const breaking = values.find((value) => {
      const faults = judge(root, withValue(body, location, value));
      // The judge leaves formats to the mock.
      return keyword === 'format'
        ? faults.length === 0
        : faults.some((found) => isSame(found, { keyword, location: at }));
    });
    if (breaking !== undefined) {
      cases.violations.push({ title, ...fault, within: ['body', ...(choice ?? at)], call: put(breaking) });
      continue;
    }
    const passing = values.find((value) => {
      const alone = judge(schema, value);
      return (
        alone.some((found) => found.keyword === keyword) && judge(root, withValue(body, location, value)).length === 0
      );
    });
    if (!choice || passing === undefined) throw new Error(`No value breaks '${keyword}' at ${name}`);
    const reason = 'another branch takes such a value';
    cases.impossible.push({ title, reason, outcome: 'passes', calls: [put(passing)] });
  }
  for (const { title, reason, value } of looseness(schema, valueAt(body, location))) {
    cases.impossible.push({ title: `${name} ${title}`, reason, outcome: 'passes', calls: [put(value)] });
  }
  return cases;
}

/** Values that the spec accepts on purpose, because the documents state no limit. */
function looseness(
  schema: Schema,
  valid: JsonValue | undefined,
): { title: string; reason: string; value: JsonValue }[] {
  const found = [];
  const { type, anyOf, oneOf, allOf, enum: values, const: only, additionalProperties } = schema;
  if (![type, anyOf, oneOf, allOf, values, only].some((keyword) => keyword !== undefined)) {
    found.push({ title: 'is of another type', reason: 'the spec leaves its type open', value: [{ any: null }] });
  }
  if (isObject(valid) && [type].flat().includes('object') && typeof additionalProperties !== 'object') {
    const value = { ...valid, 'a key of its own': null };
    found.push({ title: 'has a key that is not in the spec', reason: 'unknown keys pass', value });
  }
  const { contentEncoding, contentMediaType } = schema;
  if (contentEncoding !== undefined || contentMediaType !== undefined) {
    const form = [contentEncoding, contentMediaType].filter(Boolean).join(' of ');
    found.push({ title: `does not hold ${form}`, reason: 'on the wire it is any text', value: 'no such content: %' });
  }
  return found;
}

function isSame(left: Fault, right: Fault): boolean {
  return left.keyword === right.keyword && left.location.join('/') === right.location.join('/');
}
