import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readKeywords } from '../../../scripts/generate/keyword-list.ts';
import { generateMethods } from '../../../scripts/generate/methods.ts';
import { generateModels } from '../../../scripts/generate/models.ts';
import { modelSpec } from '../../../scripts/generate/operation-model.ts';
import { generateOperations } from '../../../scripts/generate/operation-table.ts';
import { buildReference } from '../../../scripts/generate/reference.ts';
import { generateReport } from '../../../scripts/generate/spec-report.ts';
import { generateZod } from '../../../scripts/generate/zod.ts';
import type { Spec } from '../../../scripts/spec/model.ts';
import { broken, type Changes, create, list, remove } from '../lint/mutation.ts';

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
  const document: Spec['document'] = parse(text);
  const model = modelSpec({ name: 'email', file: 'small.yaml', document });
  return {
    models: generateModels(model),
    methods: generateMethods(model),
    operations: generateOperations(model),
    zod: await generateZod(model),
    reference: JSON.stringify(buildReference(model)),
    report: generateReport(model),
  };
}

/** Field of a body and of a record, without limits. */
const word = 'components schemas TagCreate properties word';
const text = { type: 'string', description: 'A word.' };
/** The example of the body has the field as text. */
const noExample = { 'paths /tags post requestBody content application/json examples word value': {} };
const number = { type: 'integer', description: 'A number.' };
const items = { type: 'array', description: 'Words.', items: text };

type Probe = [without: unknown, value: unknown, files: (keyof Files)[]];

/** Keyword → a schema without it, its value, and files whose content depends on it. */
const ofSchemas: Record<string, Probe> = {
  $ref: [{}, '#/components/schemas/Color', ['models', 'zod', 'reference', 'report']],
  type: [{ description: 'A word.' }, 'string', ['models', 'zod', 'reference', 'report']],
  properties: [{ type: 'object' }, { one: text }, ['models', 'zod', 'reference', 'report']],
  required: [{ type: 'object', properties: { one: text } }, ['one'], ['models', 'zod', 'reference', 'report']],
  additionalProperties: [{ type: 'object' }, text, ['models', 'zod', 'reference', 'report']],
  items: [{ type: 'array' }, text, ['models', 'zod', 'reference', 'report']],
  allOf: [{}, [text], ['models', 'zod', 'report']],
  anyOf: [{}, [text, number], ['models', 'zod', 'reference', 'report']],
  enum: [text, ['a', 'b'], ['models', 'zod', 'reference', 'report']],
  const: [text, 'a', ['models', 'zod', 'reference', 'report']],
  default: [text, 'a', ['models', 'reference', 'report']],
  format: [text, 'date', ['models', 'zod', 'reference', 'report']],
  pattern: [text, '^a', ['models', 'zod', 'reference', 'report']],
  minLength: [text, 1, ['models', 'zod', 'reference', 'report']],
  maxLength: [text, 9, ['models', 'zod', 'reference', 'report']],
  minimum: [number, 1, ['models', 'zod', 'reference', 'report']],
  maximum: [number, 9, ['models', 'zod', 'reference', 'report']],
  minItems: [items, 1, ['models', 'zod', 'reference', 'report']],
  maxItems: [items, 9, ['models', 'zod', 'reference', 'report']],
  contentEncoding: [text, 'base64', ['methods', 'operations', 'reference', 'report']],
  contentMediaType: [text, 'application/json', ['methods', 'operations', 'reference', 'report']],
  contentSchema: [
    { ...text, contentMediaType: 'application/json' },
    { $ref: '#/components/schemas/Layout' },
    ['methods', 'report'],
  ],
  deprecated: [text, true, ['models', 'reference', 'report']],
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
    expect(after.report).not.toBe(before.report);
  });

  const page = 'paths /notes/{noteId}';
  test.each<[keyword: string, changes: Changes, files: (keyof Files)[]]>([
    [
      'name of a parameter',
      { [`${list} parameters 1 name`]: 'start', [`${list} x-pagination offset`]: 'start' },
      ['methods', 'operations', 'zod', 'report'],
    ],
    ['in of a parameter', { [`${page} parameters 0 in`]: 'query' }, ['operations', 'zod', 'report']],
    ['required of a parameter', { [`${list} parameters 1 required`]: true }, ['methods', 'zod', 'report']],
    ['deprecated of a parameter', { [`${list} parameters 1 deprecated`]: true }, ['methods', 'report']],
    ['schema of a parameter', { [`${list} parameters 1 schema type`]: 'string' }, ['methods', 'zod', 'report']],
    ['deprecated of an operation', { [`${list} deprecated`]: true }, ['methods', 'operations', 'report']],
    ['operationId', { [`${list} operationId`]: 'listAllNotes' }, ['operations', 'zod', 'report']],
    ['servers of an operation', { 'paths /token post servers': undefined }, ['operations', 'report']],
    ['url of a server', { 'servers 0 url': '{base_url}/other' }, ['operations', 'report']],
    ['required of a body', { [`${create} requestBody required`]: undefined }, ['reference', 'report']],
    [
      'a reference to a response',
      { [`${list} responses 200 $ref`]: '#/components/responses/Error', [`${list} x-pagination`]: undefined },
      ['methods', 'zod', 'report'],
    ],
    [
      'a status',
      {
        [`${remove} responses 200`]: { description: 'Deleted.', 'x-open': 'Its body.' },
        [`${remove} responses 204`]: undefined,
      },
      ['report'],
    ],
  ])('changes what is generated: %s', async (_, changes, files) => {
    const [before, after] = [await generate({}), await generate(changes)];
    for (const file of files) expect(after[file], file).not.toBe(before[file]);
  });
});
