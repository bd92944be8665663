import { describe, expect, it } from 'vitest';
import { generateMethods } from '../../../../scripts/generate/outputs/methods.ts';
import { generateModels } from '../../../../scripts/generate/outputs/models.ts';
import type { OperationObject, Schema } from '../../../../scripts/spec/schema.ts';
import { body, declared, operation, response, smallModel } from '../small-model.ts';

const refA: Schema = { $ref: '#/components/schemas/A' };

function generate(operations: Record<string, OperationObject>, schemas?: Record<string, Schema>): string {
  return generateMethods(smallModel(operations, schemas));
}

function fields(field: Schema): Schema {
  return { type: 'object', properties: { field } };
}

describe('the type', () => {
  it.each<[string, Schema]>([
    ['readonly (string | number)[]', { type: 'array', items: { type: ['string', 'integer'] } }],
    [
      'readonly (string | number)[] | null',
      { type: ['array', 'null'], items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    ['readonly ("a" | "b")[]', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }],
    [
      'readonly (Models.A | { [name: string]: number })[]',
      { type: 'array', items: { anyOf: [refA, { type: 'object', additionalProperties: { type: 'number' } }] } },
    ],
    [
      'readonly { [name: string]: string | number }[]',
      { type: 'array', items: { type: 'object', additionalProperties: { type: ['string', 'number'] } } },
    ],
    ['readonly (Models.A & Models.A)[]', { type: 'array', items: { allOf: [refA, refA] } }],
    ['readonly (readonly Models.A[])[]', { type: 'array', items: { type: 'array', items: refA } }],
    ['unknown', { description: 'Anything.' }],
  ])('%s', (type, schema) => {
    const text = generate({ 'POST /things': operation('things.set', body(fields(schema))) }, { A: { type: 'string' } });
    expect(declared(text, 'ThingsSetParams')).toContain(`field?: ${type}${type === 'unknown' ? '' : ' | undefined'};`);
  });

  it('of a result omit the envelope, and type the fields beside the payload as meta', () => {
    const meta: Schema = { type: 'object', required: ['total'], properties: { total: { type: 'integer' }, note: {} } };
    const list: Schema = { type: 'array', items: { type: 'string' } };
    const whole: Schema = { type: 'object', required: ['data', 'meta'], properties: { data: list, meta } };
    const text = generate({ 'GET /things': operation('things.list', response(whole)) });
    expect(text).toContain('export type ThingsListResult = string[];');
    expect(text).toContain('list(options?: MethodOptions): Call<ThingsListResult, ThingsListMeta>;');
    expect(declared(text, 'ThingsListMeta')).toMatch(/ total: number;[\s\S]* note\?: unknown;/);
  });

  it('of a result without a body are void', () => {
    expect(generate({ 'DELETE /things': operation('things.clear') })).toContain(
      'export type ThingsClearResult = void;',
    );
  });
});

describe('a component', () => {
  const models = (schemas: Record<string, Schema>, operations: Record<string, OperationObject> = {}): string =>
    generateModels(smallModel(operations, schemas));

  it('that is an enum with names becomes a constant and a type', () => {
    const Status: Schema = {
      type: ['integer', 'null'],
      enum: [0, 2, null],
      'x-enum-varnames': ['Open', 'Fail', 'None'],
      'x-enumDescriptions': { '0': 'Still open.', '2': 'Failed.' },
    };
    expect(models({ Status })).toContain(
      [
        'export const Status = {',
        '  /** Still open. */',
        '  Open: 0,',
        '  /** Failed. */',
        '  Fail: 2,',
        '  None: null,',
        '} as const;',
        'export type Status = (typeof Status)[keyof typeof Status];',
      ].join('\n'),
    );
  });

  it('that is an open record becomes an interface without an index signature, even if no field is known', () => {
    const open: Schema = { type: 'object', additionalProperties: true };
    const text = models({ Known: { ...open, ...fields({ type: 'string' }) }, Unknown: open });
    expect(declared(text, 'KnownFields')).toBe('export interface KnownFields {\n  field?: string;\n}');
    expect(text).toContain('export interface Known extends KnownFields {}');
    expect(text).toContain('export interface Unknown extends UnknownFields {}');
    expect(text).not.toContain('[name: string]');
  });

  it('that is a fully open body has the paging fields of its list, and fields that a user declares', () => {
    const Filter: Schema = { type: 'object', additionalProperties: true };
    const paging = { in: 'body', limit: 'limit', offset: 'skip' } as const;
    const items: Schema = { type: 'array', items: { type: 'string' } };
    const list = { ...body({ $ref: '#/components/schemas/Filter' }), ...response(items), 'x-pagination': paging };
    const text = models({ Filter }, { 'POST /things': operation('things.list', list) });
    expect(declared(text, 'FilterFields')).toMatch(
      /\{[^}]* limit\?: number \| undefined;[^}]* skip\?: number \| undefined;\n}/,
    );
    expect(text).toContain('export interface Filter extends FilterFields {}');
  });

  it('that extends another one inherits from it', () => {
    const more: Schema = { allOf: [refA, fields({ type: 'string' })] };
    const text = models({ A: fields({ type: 'string' }), More: more, Same: { allOf: [refA] } });
    expect(text).toContain('export interface More extends A {\n  field?: string;\n}');
    expect(text).toContain('export interface Same extends A {}');
  });

  it('that a response contains has a replaceable type for each field with an undocumented type', () => {
    const properties: Schema['properties'] = {
      known: { type: 'string' },
      any: { description: 'Anything.' },
      items: { type: 'array', items: {} },
      'map-of': { type: 'object', additionalProperties: true },
    };
    const Thing: Schema = { type: 'object', required: ['any'], properties };
    const text = models(
      { Thing },
      { 'GET /thing': operation('things.get', response({ $ref: '#/components/schemas/Thing' })) },
    );
    expect(declared(text, 'ThingFields')).toBe('export interface ThingFields {\n  known?: string;\n}');
    const [open] = text.match(/^interface ThingOpenFields \{.*?^\}/ms) ?? [];
    expect(open).toContain('Anything. The type can be declared in `ThingFields`.');
    for (const line of ['any: unknown;', 'items?: unknown[];', "'map-of'?: { [name: string]: unknown };"])
      expect(open).toContain(`  ${line}\n`);
    expect(text).toContain('export interface Thing extends ThingFields, Omit<ThingOpenFields, keyof ThingFields> {}');
    expect(text).toContain(' *   interface ThingFields {\n *     any?: { my_key: string };\n *   }');
  });

  it('that only requests contain keeps the documented type of each field', () => {
    const Thing: Schema = fields({ type: 'array', items: {} });
    const text = models(
      { Thing },
      { 'POST /things': operation('things.set', body({ $ref: '#/components/schemas/Thing' })) },
    );
    expect(declared(text, 'Thing')).toBe('export interface Thing {\n  field?: readonly unknown[] | undefined;\n}');
    expect(text).not.toContain('ThingFields');
  });

  it("that a body writes shares users' own fields with the body, but no documented ones", () => {
    const Deal: Schema = { type: 'object', additionalProperties: true, ...fields({ type: 'string' }) };
    const DealCreate: Schema = { ...fields({ type: 'string' }), 'x-record': 'Deal' };
    const text = models({ Deal, DealCreate });
    expect(text).toContain("declare module 'carillon/crm'");
    expect(text).toContain('export interface Deal extends DealFields {}');
    expect(text).toContain('type DealOwnFields = Omit<DealFields, "field">;');
    expect(text).toContain('export interface DealCreate extends DealOwnFields {');
  });

  it('that is a body is declared once, and the parameters of its method extend it', () => {
    const create = operation('things.create', body({ $ref: '#/components/schemas/ThingCreate' }));
    const text = generate({ 'POST /things': create }, { ThingCreate: fields({ type: 'string' }) });
    expect(text).toContain('export interface ThingsCreateParams extends Models.ThingCreate {\n}');
  });

  it("that is a body with an encoded field shares the other fields with its method's parameters", () => {
    const File: Schema = {
      type: 'object',
      properties: { name: { type: 'string' }, content: { type: 'string', contentEncoding: 'base64' } },
    };
    const operations = { 'POST /files': operation('files.send', body({ $ref: '#/components/schemas/File' })) };
    const text = models({ File }, operations);
    expect(declared(text, 'FileCommon')).toBe('export interface FileCommon {\n  name?: string | undefined;\n}');
    expect(declared(text, 'File')).toBe(
      'export interface File extends FileCommon {\n  content?: string | undefined;\n}',
    );
    const params = declared(generate(operations, { File }), 'FilesSendParams');
    expect(params).toMatch(/extends Models\.FileCommon \{[\s\S]*content\?: FileContent \| undefined;/);
    expect(params).not.toContain('name?');
  });

  it('that is a body with variants becomes shared fields and a union, and a decoded form for its method', () => {
    const File: Schema = {
      type: 'object',
      required: ['name', 'kind'],
      'x-record': 'Record',
      'x-source': '1 §2',
      properties: {
        name: { type: 'string' },
        kind: { $ref: '#/components/schemas/Kind' },
        content: { type: 'string', contentEncoding: 'base64' },
        items: { type: ['array', 'null'], items: { type: 'string' }, description: 'Items.' },
      },
      'x-variants': {
        name: 'Source',
        description: 'Where it comes from.',
        variants: {
          Bytes: {
            description: 'Bytes.',
            required: ['content'],
            properties: { kind: { const: 1 }, items: { maxItems: 0 } },
          },
          Other: { description: 'Other.', properties: { kind: { enum: [0, 2] }, content: false } },
        },
      },
    };
    const Kind: Schema = { type: 'integer', enum: [0, 1, 2] };
    const Record: Schema = { type: 'object', additionalProperties: true };
    const operations = { 'POST /files': operation('files.send', body({ $ref: '#/components/schemas/File' })) };
    const text = models({ File, Kind, Record }, operations);
    const code = (of: string, name: string): string => declared(of, name).replaceAll(/ *\/\*\*[\s\S]*?\*\/\n/g, '');
    expect(code(text, 'FileCommon')).toBe('export interface FileCommon extends RecordOwnFields {\n  name: string;\n}');
    expect(code(text, 'FileBytes')).toBe(
      'export interface FileBytes {\n  kind: 1;\n  content: string;\n  items?: readonly [] | null | undefined;\n}',
    );
    expect(code(text, 'FileOther')).toBe(
      'export interface FileOther {\n  kind: 0 | 2;\n  content?: undefined;\n  items?: readonly string[] | null | undefined;\n}',
    );
    expect(text).toContain('export type FileSource = FileBytes | FileOther;');
    expect(text).toContain('export type File = FileCommon & FileSource;');
    const methods = generate(operations, { File, Kind, Record });
    expect(code(methods, 'FilesSendBytes')).toContain('content: FileContent;');
    expect(methods).toContain('export type FilesSendParams = Models.FileCommon & FilesSendSource;');
  });

  it('keeps encoded fields in their wire format', () => {
    const Email = fields({ type: 'string', contentEncoding: 'base64', description: 'HTML in Base64.' });
    expect(models({ Email })).toContain('/** HTML in Base64. */\n  field?: string;');
  });
});
