import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { modelSpec } from '../../../scripts/generate/model/operation-model.ts';
import { generateMethods } from '../../../scripts/generate/outputs/methods.ts';
import { generateModels } from '../../../scripts/generate/outputs/models.ts';
import { generateOperations } from '../../../scripts/generate/outputs/operation-table.ts';
import { buildReference } from '../../../scripts/generate/outputs/reference.ts';
import { generateZod } from '../../../scripts/generate/outputs/zod.ts';
import type { Spec } from '../../../scripts/spec/model.ts';
import { readKeywords } from '../lint/keyword-list.ts';
import { broken, type Changes, create, list } from '../lint/mutation.ts';

/** Generated files that programs and agents depend on, by name. */
type Files = Record<string, string>;

/** Many probes begin with the same spec. */
const generated = new Map<string, Promise<Files>>();

function generate(changes: Changes): Promise<Files> {
  // The token operation of the small spec takes no client credentials.
  const text = broken({ 'paths /token post security': undefined, ...changes });
  const files = generated.get(text) ?? generateFrom(text);
  generated.set(text, files);
  return files;
}

async function generateFrom(text: string): Promise<Files> {
  const openapi: Spec['openapi'] = parse(text);
  const model = modelSpec({ name: 'email', file: 'small.yaml', openapi });
  return {
    models: generateModels(model),
    methods: generateMethods(model),
    operations: generateOperations(model),
    zod: await generateZod(model),
    reference: JSON.stringify(buildReference(model)),
  };
}

/** Field of a body and of a record, without limits. */
const word = 'components schemas TagCreate properties word';
const text = { type: 'string', description: 'A word.' };
/** The example of the body has the field as text. */
const noExample = { 'paths /tags post requestBody content application/json examples word value': {} };
const number = { type: 'integer', description: 'A number.' };
const layout = { $ref: '#/components/schemas/Layout' };
const items = { type: 'array', description: 'Words.', items: text };

type Probe = [without: unknown, value: unknown, files: (keyof Files)[]];

/** Keyword → a schema without it, its value, and files whose content depends on it. */
const ofSchemas: Record<string, Probe> = {
  $ref: [{}, '#/components/schemas/Color', ['models', 'zod', 'reference']],
  type: [{ description: 'A word.' }, 'string', ['models', 'zod', 'reference']],
  properties: [{ type: 'object' }, { one: text }, ['models', 'zod', 'reference']],
  required: [{ type: 'object', properties: { one: text } }, ['one'], ['models', 'zod', 'reference']],
  additionalProperties: [{ type: 'object' }, text, ['models', 'zod', 'reference']],
  items: [{ type: 'array' }, text, ['models', 'zod', 'reference']],
  allOf: [{}, [text], ['models', 'zod']],
  anyOf: [{}, [text, number], ['models', 'zod', 'reference']],
  enum: [text, ['a', 'b'], ['models', 'zod', 'reference']],
  const: [text, 'a', ['models', 'zod', 'reference']],
  default: [text, 'a', ['models', 'reference']],
  format: [text, 'date', ['models', 'zod', 'reference']],
  pattern: [text, '^a', ['models', 'zod', 'reference']],
  minLength: [text, 1, ['models', 'zod', 'reference']],
  maxLength: [text, 9, ['models', 'zod', 'reference']],
  minimum: [number, 1, ['models', 'zod', 'reference']],
  maximum: [number, 9, ['models', 'zod', 'reference']],
  minItems: [items, 1, ['models', 'zod', 'reference']],
  maxItems: [items, 9, ['models', 'zod', 'reference']],
  contentEncoding: [text, 'base64', ['methods', 'operations', 'reference']],
  contentMediaType: [{ ...text, contentSchema: layout }, 'application/json', ['methods', 'operations', 'reference']],
  contentSchema: [
    { ...text, contentMediaType: 'application/json', contentSchema: { $ref: '#/components/schemas/Color' } },
    layout,
    ['methods'],
  ],
  deprecated: [text, true, ['models', 'reference']],
};

/** Conditions belong to a component. */
const note = 'components schemas Note';
const condition = { properties: { color: { const: 'red' } }, required: ['color'], description: 'Red.' };
const free = { [`${note} if`]: undefined, [`${note} then`]: undefined };
const ofComponents: [keyword: string, without: Changes, having: Changes][] = [
  ['if', free, {}],
  ['then', {}, { [`${note} then description`]: 'Another reason.' }],
  ['else', {}, { [`${note} else`]: condition }],
  ['not', free, { ...free, [`${note} not`]: condition }],
  ['dependentRequired', free, { ...free, [`${note} dependentRequired`]: { color: ['remindAt'] } }],
];

describe('a keyword that the list gives to the client', () => {
  test('has a probe', () => {
    expect([...Object.keys(ofSchemas), ...ofComponents.map(([keyword]) => keyword)].sort()).toEqual(
      readKeywords().schema?.client.toSorted(),
    );
  });

  test.each(Object.entries(ofSchemas))('changes what is generated: %s', async (keyword, [without, value, files]) => {
    const before = await generate({ ...noExample, [word]: without });
    const after = await generate({ ...noExample, [word]: Object.assign({}, without, { [keyword]: value }) });
    for (const file of files) expect(after[file], file).not.toBe(before[file]);
  });

  test.each(ofComponents)('changes what is generated: %s', async (_, without, having) => {
    const [before, after] = [await generate(without), await generate(having)];
    expect(after.zod).not.toBe(before.zod);
  });

  const page = 'paths /notes/{noteId}';
  test.each<[keyword: string, changes: Changes, files: (keyof Files)[]]>([
    [
      'name of a parameter',
      { [`${list} parameters 1 name`]: 'start', [`${list} x-pagination offset`]: 'start' },
      ['methods', 'operations', 'zod'],
    ],
    ['in of a parameter', { [`${page} parameters 0 in`]: 'query' }, ['operations', 'zod']],
    ['required of a parameter', { [`${list} parameters 1 required`]: true }, ['methods', 'zod']],
    ['deprecated of a parameter', { [`${list} parameters 1 deprecated`]: true }, ['methods']],
    ['schema of a parameter', { [`${list} parameters 1 schema type`]: 'string' }, ['methods', 'zod']],
    ['deprecated of an operation', { [`${list} deprecated`]: true }, ['methods', 'operations']],
    ['operationId', { [`${list} operationId`]: 'listAllNotes' }, ['operations', 'zod']],
    ['servers of an operation', { 'paths /token post servers': undefined }, ['operations']],
    ['url of a server', { 'servers 0 url': '{base_url}/other' }, ['operations']],
    ['required of a body', { [`${create} requestBody required`]: undefined }, ['reference']],
    [
      'a reference to a response',
      { [`${list} responses 200 $ref`]: '#/components/responses/Error', [`${list} x-pagination`]: undefined },
      ['methods', 'zod'],
    ],
  ])('changes what is generated: %s', async (_, changes, files) => {
    const [before, after] = [await generate({}), await generate(changes)];
    for (const file of files) expect(after[file], file).not.toBe(before[file]);
  });
});
