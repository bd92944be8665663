import { describe, expect, it } from 'vitest';
import { generateMethods } from '../../../../scripts/generate/outputs/methods.ts';
import { generateModels } from '../../../../scripts/generate/outputs/models.ts';
import { generateOperations } from '../../../../scripts/generate/outputs/operation-table.ts';
import type { OperationObject, Parameter, Schema } from '../../../../scripts/spec/schema.ts';
import { body, declared, operation, response, smallModel } from '../small-model.ts';

const id: Parameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 7 };

function generate(operations: Record<string, OperationObject>, schemas?: Record<string, Schema>): string {
  return generateMethods(smallModel(operations, schemas));
}

function generateRecords(operations: Record<string, OperationObject>): string {
  return generateOperations(smallModel(operations));
}

/** The parameters of an operation with one field in its body. */
function params(field: Schema, example: OperationObject = operation('things.set', body(fields(field)))): string {
  return declared(generate({ 'POST /things': example }), 'ThingsSetParams');
}

function fields(field: Schema): Schema {
  return { type: 'object', properties: { field } };
}

describe('flat parameters', () => {
  it('contain path, query and body fields, and are optional if none is required', () => {
    const query: Parameter = { name: 'limit', in: 'query', schema: { type: 'integer' } };
    const text = generate({
      'GET /things': operation('things.list', { parameters: [query] }),
      'PUT /things/{id}': operation('things.update', { parameters: [id], ...body(fields({ type: 'string' })) }),
      'DELETE /things': operation('things.clear'),
    });
    expect(text).toContain('list(params?: ThingsListParams, options?: MethodOptions): Call<ThingsListResult>;');
    expect(text).toContain('update(params: ThingsUpdateParams, options?: MethodOptions): Call<ThingsUpdateResult>;');
    expect(text).toContain('clear(options?: MethodOptions): Call<ThingsClearResult>;');
    expect(declared(text, 'ThingsUpdateParams')).toMatch(/ id: number;[\s\S]* field\?: string \| undefined;/);
  });

  it('exclude a name that is in path and body: an error names operation and field', () => {
    const twice = operation('things.update', { parameters: [id], ...body({ type: 'object', properties: { id: {} } }) });
    expect(() => generate({ 'PUT /things/{id}': twice })).toThrow("things_update: 'id' is in two places");
  });

  it('exclude a body that is a list: an error names the operation', () => {
    const list = operation('things.do', body({ type: 'array', items: { type: 'string' } }));
    expect(() => generate({ 'POST /things': list })).toThrow('things_do: ');
  });

  it('are the fields inside the key that wraps them on the wire', () => {
    const sdk = { method: 'things.set', unwrapBody: 'thing' };
    const thing = fields({ type: 'string' });
    const wrapped: Schema = { type: 'object', required: ['thing'], properties: { thing } };
    const text = generate({
      'POST /things': operation(sdk, body(wrapped)),
    });
    expect(declared(text, 'ThingsSetParams')).toContain('field?: string | undefined;');
    expect(generateRecords({ 'POST /things': operation(sdk, body(wrapped)) })).toContain("wrap: 'thing'");
    const others: Schema = { ...wrapped, properties: { thing, other: thing } };
    for (const schema of [fields({}), { ...wrapped, required: [] }, others])
      expect(() => generate({ 'POST /things': operation(sdk, body(schema)) })).toThrow(
        "things_set: 'thing' is not the only, required key of the body",
      );
  });

  it('of an open body have the paging fields of the list, and exclude misspelt ones', () => {
    const open: Schema = { type: 'object', additionalProperties: true };
    const paging = { in: 'body', limit: 'limit', offset: 'skip', 'x-inferred': 'It is like others.' } as const;
    const list = { ...body(open), ...response({ type: 'array', items: { type: 'string' } }), 'x-pagination': paging };
    const text = declared(generate({ 'POST /things': operation('things.list', list) }), 'ThingsListParams');
    expect(text).toMatch(/ limit\?: number \| undefined;[\s\S]* skip\?: number \| undefined;\n}/);
    expect(text).toContain('It is like others.');
  });
});

describe('the record of an operation', () => {
  it('names the parameters in path and query, even if the operation may have a body', () => {
    const parameters: Parameter[] = [{ name: 'notify', in: 'query', schema: { type: 'boolean' } }];
    const both = operation('things.set', { parameters, ...body(fields({ type: 'string' })) });
    expect(generateRecords({ 'POST /things': both })).toContain("params: { notify: 'query' }");
    expect(generateRecords({ 'GET /things': operation('things.get', { parameters }) })).toContain(
      "params: { notify: 'query' }",
    );
  });

  it.each<[string, Schema, boolean]>([
    ['a type', { type: ['object', 'null'], properties: {} }, true],
    ['one of several', { anyOf: [{ type: 'string' }, { type: 'null' }] }, true],
    ['a value', { enum: [1, null] }, true],
    ['a schema that allows anything', {}, true],
    ['no null', { type: 'object', properties: {} }, false],
    [
      'null in one of two schemas that both apply',
      { allOf: [{ type: ['string', 'null'] }, { type: 'string' }] },
      false,
    ],
  ])('says whether the payload can be null: %s', (_, data, isNullable) => {
    const whole: Schema = { type: 'object', required: ['data'], properties: { data } };
    const wrapped = generateRecords({ 'GET /things': operation('things.get', response(whole)) });
    expect(wrapped).toContain("payload: 'data'");
    expect(wrapped.includes('nullable: true')).toBe(isNullable);
    const bare = generateRecords({ 'GET /things': operation('things.get', response(data)) });
    expect(bare.includes('nullable: true')).toBe(isNullable);
  });

  it('never marks the payload as nullable for an operation without a body', () => {
    expect(generateRecords({ 'DELETE /things': operation('things.clear') })).not.toContain('nullable');
  });

  it('pages a list whose fields are encoded', () => {
    const filter: Schema = { type: 'string', contentMediaType: 'application/json' };
    const list = {
      ...body({ type: 'object', properties: { filter, limit: { type: 'integer' }, offset: { type: 'integer' } } }),
      ...response({ type: 'array', items: { type: 'string' } }),
      'x-pagination': { in: 'body', limit: 'limit', offset: 'offset' } as const,
    };
    const text = generateRecords({ 'POST /things': operation('things.list', list) });
    expect(text).toContain("paging: { limit: 'limit', offset: 'offset' }, encode: { filter: 'json' }");
  });
});

describe('a place in the client', () => {
  it('shared by two operations is an error that names both', () => {
    const operations = { 'GET /a': operation('a.get'), 'GET /b': { ...operation('a.get'), operationId: 'getB' } };
    expect(() => generate(operations)).toThrow('getB: x-sdk a.get is already the method of a_get');
  });

  it('cannot be a method and a group, in either order', () => {
    expect(() => generate({ 'GET /a': operation('a'), 'GET /b': operation('a.get') })).toThrow(
      'a_get: x-sdk a.get passes through the method a of a',
    );
    expect(() => generate({ 'GET /a': operation('a.get'), 'GET /b': operation('a') })).toThrow(
      'a: x-sdk a is already a group of methods',
    );
  });

  it('needs its own type names', () => {
    const operations = { 'GET /a': operation('push.things.get'), 'GET /b': operation('pushThings.get') };
    expect(() => generate(operations)).toThrow('pushThings_get: its types would be named PushThingsGet…');
  });
});

describe('an encoded field', () => {
  it.each<[string, Schema, string]>([
    ['Base64 of a text', { type: 'string', contentEncoding: 'base64', contentMediaType: 'text/html' }, 'string'],
    ['Base64 of anything', { type: 'string', contentEncoding: 'base64' }, 'FileContent'],
    ['Base64 or null', { type: ['string', 'null'], contentEncoding: 'base64' }, 'FileContent | null'],
    [
      'a map of Base64',
      { type: 'object', additionalProperties: { type: 'string', contentEncoding: 'base64' } },
      '{ readonly [name: string]: FileContent }',
    ],
    [
      'JSON',
      {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: { type: 'array', items: { type: 'integer' } },
      },
      'readonly number[]',
    ],
  ])('takes the decoded value of %s', (_, schema, type) => {
    expect(params({ description: 'Encoded.', ...schema })).toContain(`field?: ${type} | undefined;`);
  });

  it('begins with how to pass it decoded, and marks its description as that of the wire format', () => {
    const field: Schema = { type: 'string', contentEncoding: 'base64', description: 'A file in Base64.' };
    expect(params(field)).toContain(
      'Pass bytes, a `Blob` or a `File`. The client encodes the content. On the wire: A file in Base64. */\n',
    );
  });

  it('has the description of its decoded form, if the spec has one', () => {
    const field: Schema = { type: 'string', contentEncoding: 'base64', contentMediaType: 'text/html' };
    expect(params({ ...field, description: 'HTML in Base64.', 'x-decoded': 'HTML' })).toContain(
      '/** Pass the text itself. The client encodes it. HTML. */\n',
    );
  });

  it('has the limits of the decoded value, not of the encoded one', () => {
    const contentSchema: Schema = { type: 'array', items: {}, maxItems: 2 };
    const field: Schema = { type: 'string', maxLength: 900, contentMediaType: 'application/json', contentSchema };
    expect(params(field)).toContain('At most 2 items.');
    expect(params(field)).not.toContain('900');
  });

  it('is decoded in the example, and encoded by the method', () => {
    const properties: Record<string, Schema> = {
      html: { type: 'string', contentEncoding: 'base64', contentMediaType: 'text/html' },
      filter: { type: 'string', contentMediaType: 'application/json' },
      files: { type: 'object', additionalProperties: { type: 'string', contentEncoding: 'base64' } },
    };
    const example = { html: 'PGI+', filter: '{"a":[1]}', files: { 'a.txt': 'YQ==' } };
    const text = generate({ 'POST /things': operation('things.set', body({ type: 'object', properties }, example)) });
    for (const line of ["html: '<b>',", 'filter: { a: [1] },', `files: { 'a.txt': new TextEncoder().encode('a') },`])
      expect(text).toContain(line);
    const records = generateRecords({ 'POST /things': operation('things.set', body({ type: 'object', properties })) });
    expect(records).toContain("encode: { html: 'base64Text', filter: 'json', files: 'base64Map' }");
  });

  it('below a field is an error that names operation and place, because the client would not encode it', () => {
    const deep: Schema = { type: 'array', items: fields({ type: 'string', contentEncoding: 'base64' }) };
    expect(() => params(deep)).toThrow("things_set: 'field.field' is encoded, but");
  });
});

describe('a body that needs at least one of its fields', () => {
  const Change: Schema = {
    type: 'object',
    'x-at-least-one': true,
    properties: { name: { type: 'string' }, size: { type: 'integer' } },
  };
  const ref: Schema = { $ref: '#/components/schemas/Change' };

  it('is a union in which each field is required once, and its method needs parameters', () => {
    const text = generate({ 'POST /things': operation('things.set', body(ref)) }, { Change });
    expect(text).toContain('export type ThingsSetParams = Models.Change;');
    expect(text).toContain('set(params: ThingsSetParams, options?: MethodOptions)');
    const models = generateModels(smallModel({ 'POST /things': operation('things.set', body(ref)) }, { Change }));
    expect(declared(models, 'ChangeCommon')).toContain('name?: string | undefined;');
    const union = models.slice(models.indexOf('export type Change ')).replaceAll(/\/\*\*.*?\*\/|\n/g, '');
    expect(union).toContain('export type Change = ChangeCommon & ({name: string } | {size: number });');
  });

  it('is combined with the parameters in the path', () => {
    const change = operation('things.change', { parameters: [id], ...body(ref) });
    const text = generate({ 'PUT /things/{id}': change }, { Change });
    expect(declared(text, 'ThingsChangeCommon')).toMatch(/\{\n {2}id: number;\n\}$/);
    expect(text).toContain('export type ThingsChangeParams = ThingsChangeCommon & Models.Change;');
  });
});

describe('constants', () => {
  it('contain the maximum size of each list in a request', () => {
    const list: Schema = { type: 'array', items: { type: 'string' }, maxItems: 500 };
    const text = generate({ 'POST /things': operation('things.set', body(fields(list))) });
    expect(text).toMatch(
      /export const ThingsSetMaxItems = \{\n {2}\/\*\* Maximum number of items of `field` per request\. \*\/\n {2}field: 500,\n\} as const;/,
    );
  });

  it('contain the documented codes with their meanings', () => {
    const codes = { '3084': { meaning: 'It is "late".', rule: 'things-on-time', advice: 'Hurry.' } };
    const text = generate({ 'POST /things': operation('things.set', { 'x-errors': codes }) });
    expect(text).toContain(`export const ThingsSetErrors = {\n  '3084': 'It is "late".',\n} as const;`);
    expect(text).toContain('export type ThingsSetErrorCode = keyof typeof ThingsSetErrors;');
  });
});

describe('the generator of methods', () => {
  it('returns the same output twice', () => {
    const operations = { 'GET /b': operation('b.get'), 'GET /a': operation('a.get') };
    expect(generate(operations)).toBe(generate(operations));
  });
});
