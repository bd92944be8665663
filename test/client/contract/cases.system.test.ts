import { describe, expect, it } from 'vitest';
import type { JsonValue, Parameter, Schema } from '../../../scripts/spec/schema.ts';
import { deriveCases } from './cases.ts';
import { smallOperation } from './small-spec.ts';

/** Describes each break of the field `it`, with the breaking value. */
function broken(schema: Schema, valid: JsonValue): [string, JsonValue | undefined][] {
  const root: Schema = { type: 'object', properties: { it: schema } };
  const { violations } = deriveCases(smallOperation(root, { it: valid }));
  return violations
    .slice(2)
    .map(({ keyword, location, call }) => [
      `${location.join('.')} ${keyword}`,
      typeof call.body === 'object' && call.body !== null && 'it' in call.body ? call.body.it : undefined,
    ]);
}

function body(schema: Schema, example: JsonValue, parameters?: Parameter[]) {
  return deriveCases(smallOperation(schema, example, parameters));
}

describe('a violation', () => {
  it('breaks a limit of text by one character', () => {
    expect(broken({ type: 'string', minLength: 2, maxLength: 4 }, 'abc')).toEqual([
      ['body.it type', 1.5],
      ['body.it minLength', 'a'],
      ['body.it maxLength', 'abcxx'],
    ]);
  });

  it('breaks a limit of a number by one', () => {
    expect(broken({ type: 'integer', minimum: 10, maximum: 20 }, 15)).toEqual([
      ['body.it type', 'text'],
      ['body.it minimum', 9],
      ['body.it maximum', 21],
    ]);
  });

  it('breaks a limit of a list by one item', () => {
    const schema: Schema = { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } };
    expect(broken(schema, [7])).toEqual([
      ['body.it type', 'text'],
      ['body.it minItems', []],
      ['body.it maxItems', [7, 7, 7]],
      ['body.it.0 type', ['text']],
    ]);
  });

  it('prefers the gap of an enum to values beyond it', () => {
    expect(broken({ type: 'integer', enum: [5, 6, 8] }, 5)).toContainEqual(['body.it enum', 7]);
    expect(broken({ type: 'string', enum: ['asc', 'desc'] }, 'asc')).toContainEqual(['body.it enum', 'asc?']);
  });

  it('breaks a pattern and a format, but not a numeric format', () => {
    expect(broken({ type: 'string', pattern: '^\\d+$' }, '1')).toContainEqual(['body.it pattern', 'no such form']);
    expect(broken({ type: 'string', format: 'date' }, '2026-11-02')).toContainEqual(['body.it format', 'no such form']);
    expect(broken({ type: 'number', format: 'float' }, 1)).toEqual([['body.it type', 'text']]);
  });

  it('uses null as a wrong type only if null is wrong', () => {
    expect(broken({ type: ['string', 'number', 'boolean', 'object', 'array'] }, 'a')).toEqual([['body.it type', null]]);
    expect(broken({ type: ['string', 'null'] }, null)).toEqual([['body.it type', 1.5]]);
  });

  it('omits each required field in turn, at every depth', () => {
    const inner: Schema = { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {} } };
    expect(broken(inner, { a: 1, b: 2 }).filter(([what]) => what.endsWith('required'))).toEqual([
      ['body.it.a required', { b: 2 }],
      ['body.it.b required', { a: 1 }],
    ]);
  });

  it('reaches the values of a map, and stops at a recursive schema', () => {
    const map: Schema = { type: 'object', additionalProperties: { type: 'string' } };
    expect(broken(map, { city: 'Rome' })).toContainEqual(['body.it.city type', { city: 1.5 }]);
    expect(broken({ $ref: '#/components/schemas/Tree' }, {}).map(([what]) => what)).toEqual([
      'body.it type',
      'body.it.name type',
    ]);
  });

  it('fills a place that no example fills', () => {
    const inner: Schema = {
      type: ['object', 'null'],
      required: ['n'],
      properties: { n: { type: 'integer', minimum: 3 }, s: { type: 'string' } },
    };
    expect(broken(inner, null)).toContainEqual(['body.it.s type', { n: 3, s: 1.5 }]);
  });

  it('under anyOf is refused by every branch', () => {
    const phone: Schema = { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^\\d+$', examples: ['1'] }] };
    expect(broken(phone, 1)).toEqual([
      ['body.it type', 'text'],
      ['body.it type', 1.5],
      ['body.it pattern', 'no such form'],
    ]);
  });

  it('breaks a condition between fields', () => {
    const not: Schema = { type: 'object', properties: { a: { maximum: 0 }, b: { maximum: 0 } } };
    expect(broken({ type: 'object', not, properties: { a: {}, b: {} } }, { a: 1 })).toContainEqual(['body.it not', {}]);
    const dependentRequired = { a: ['b'] };
    expect(broken({ type: 'object', dependentRequired }, { a: 1, b: 2 })).toContainEqual([
      'body.it dependentRequired',
      { a: 1 },
    ]);
  });

  it('throws for a keyword that it cannot break', () => {
    expect(() => broken({ type: 'integer', if: {} }, 1)).toThrow("No case is derived for the keyword 'if'");
  });
});

describe('a limit that cannot be broken', () => {
  const titles = (schema: Schema, example: JsonValue): string[] =>
    body(schema, example).impossible.map(({ title, reason }) => `${title}: ${reason}`);

  it('is listed with its reason', () => {
    expect(titles({ type: 'object' }, {})).toEqual(['body has a key that is not in the spec: unknown keys pass']);
    expect(titles({ type: 'string', contentEncoding: 'base64' }, 'YQ==')).toEqual([
      'body does not hold base64: on the wire it is any text',
    ]);
    expect(titles({ type: 'array', items: {} }, [1])).toEqual([
      'body.0 is of another type: the spec leaves its type open',
    ]);
  });

  it('includes values that another branch of an anyOf accepts', () => {
    const schema: Schema = { type: 'array', items: { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'string' }] } };
    expect(titles(schema, ['a'])).toEqual(['body.0 is longer than 1: another branch takes such a value']);
  });
});

describe('a parameter', () => {
  const name = (parameter: Omit<Parameter, 'name'>): Parameter => ({ name: 'name', ...parameter });
  const derive = (parameter: Parameter) => body({ type: 'object' }, {}, [parameter]);

  it('of a path is refused by the client if it is missing, unsafe or of another type', () => {
    const { violations, impossible } = derive(
      name({ in: 'path', required: true, example: 'a', schema: { type: 'string', maxLength: 1 } }),
    );
    expect(impossible.slice(0, 3).map(({ title, outcome }) => `${title}: ${outcome}`)).toEqual([
      'path.name is not string: stopped by the client',
      'path.name is missing: stopped by the client',
      "path.name is '', '.', '..', '%2e%2E': stopped by the client",
    ]);
    expect(violations[0]).toMatchObject({
      location: ['path', 'name'],
      keyword: 'maxLength',
      call: { path: { name: 'ax' } },
    });
  });

  it('of a header is text, as in a query', () => {
    const { examples, requiredOnly, violations } = derive(
      name({ in: 'header', example: 7, schema: { type: 'integer', minimum: 1 } }),
    );
    expect([examples[0]?.call.header, requiredOnly.header]).toEqual([{ name: 7 }, {}]);
    expect(violations.slice(0, 2).map(({ keyword, location, call }) => [keyword, location, call.header])).toEqual([
      ['type', ['header', 'name'], { name: 'text' }],
      ['minimum', ['header', 'name'], { name: 0 }],
    ]);
  });

  it('with a list or an object is broken in an item or a field', () => {
    const { violations } = body({ type: 'object' }, {}, [
      { name: 'ids', in: 'query', example: [7, 8], schema: { type: 'array', items: { type: 'integer' } } },
      {
        name: 'period',
        in: 'query',
        example: { from: '2026' },
        schema: { type: 'object', properties: { from: { type: 'string', maxLength: 4 } } },
      },
    ]);
    expect(violations.slice(0, 2).map(({ keyword, location, call }) => [keyword, location, call.query])).toEqual([
      ['type', ['query', 'ids', '0'], { ids: ['text', 8], period: { from: '2026' } }],
      ['maxLength', ['query', 'period', 'from'], { ids: [7, 8], period: { from: '2026x' } }],
    ]);
  });

  it('of a query is text, so its limits can be broken, but not its type', () => {
    const { violations, impossible } = derive(
      name({ in: 'query', required: true, example: 'a', schema: { type: 'string', pattern: '^a$' } }),
    );
    expect(impossible[0]).toMatchObject({ title: 'query.name is not string', outcome: 'another limit is broken' });
    expect(violations.slice(0, 2).map(({ keyword, call }) => [keyword, call.query])).toEqual([
      ['required', {}],
      ['pattern', { name: 'no such form' }],
    ]);
    expect(derive(name({ in: 'query', example: 7, schema: { type: 'integer' } })).violations[0]).toMatchObject({
      keyword: 'type',
      call: { query: { name: 'text' } },
    });
  });
});

describe('the call with only required fields', () => {
  it('has no optional fields at any depth, and no optional parameters', () => {
    const item: Schema = { type: 'object', required: ['id'], properties: { id: {}, note: {} } };
    const schema: Schema = {
      type: 'object',
      required: ['list'],
      properties: { list: { type: 'array', items: item }, x: item },
    };
    const parameters: Parameter[] = [{ name: 'limit', in: 'query', example: 10, schema: { type: 'integer' } }];
    const { requiredOnly, examples } = body(schema, { x: { id: 1 }, list: [{ id: 2, note: 'a' }] }, parameters);
    expect(requiredOnly).toEqual({ path: {}, query: {}, header: {}, body: { list: [{ id: 2 }] } });
    expect(examples[0]?.call).toMatchObject({ query: { limit: 10 } });
  });

  it('keeps fields that a condition between fields requires', () => {
    const not: Schema = { type: 'object', properties: { a: { maximum: 0 }, b: { maximum: 0 } } };
    const { requiredOnly } = body({ type: 'object', not, properties: { a: {}, b: {} } }, { a: 1, b: 2 });
    expect(requiredOnly.body).toEqual({ b: 2 });
  });
});
