import { create, createTag, list, note, remove, search } from '../mutation.ts';
import { type RefusedEdit, refuse } from './refuse.ts';

/** The third parameter of the list. */
const added = `${list} parameters 2`;
const word = 'components schemas TagCreate properties word';
const tagReply = `${createTag} responses 200`;
const tagMedia = `${createTag} requestBody content application/json`;
const tagSchema = `${tagMedia} schema`;
const tagExamples = `${tagMedia} examples`;
const component = (schema: object): object => ({ description: 'A thing.', 'x-source': '1 §2', ...schema });
const parameter = (schema: object, more: object = {}): object => ({
  name: 'ids',
  in: 'query',
  description: 'Some IDs.',
  example: 1,
  schema,
  ...more,
});
const text = { type: 'string' };

/** The body of `createTag` with another component, and without the extensions that name its fields. */
function tagBody(schema: object, example: unknown, more: object = {}): Record<string, unknown> {
  return {
    'components schemas Things': component(schema),
    [tagSchema]: { $ref: '#/components/schemas/Things' },
    [tagExamples]: { one: { summary: 'One', value: example } },
    [`${createTag} x-people`]: undefined,
    [`${createTag} x-sends-if`]: undefined,
    [`${createTag} x-test-mode`]: undefined,
    [`${createTag} x-effect`]: 'write',
    'components schemas TagCreate': undefined,
    // Only the body writes fields of an open record.
    'components schemas Tag additionalProperties': undefined,
    'components schemas Tag x-open': undefined,
    ...more,
  };
}

const strings = { type: 'array', items: text };

const bodies: RefusedEdit[] = [
  refuse('a list as a body', tagBody(strings, ['a']), 'body-form', tagSchema),
  refuse(
    'a map as a body',
    tagBody({ type: 'object', additionalProperties: text }, { a: 'b' }),
    'body-form',
    tagSchema,
  ),
  refuse('a union as a body', tagBody({ anyOf: [text, { type: 'integer' }] }, 'a'), 'body-form', tagSchema),
];

const addresses: RefusedEdit[] = [
  refuse('a query in the address of a server', { 'servers 0 url': '{base_url}/notes?version=1' }, 'server-base'),
  refuse('a fragment in the address of a server', { 'servers 0 url': '{base_url}/notes#one' }, 'server-base'),
  refuse('a dot segment in the address of a server', { 'servers 0 url': '{base_url}/../notes' }, 'server-base'),
  refuse(
    'a second variable of a server',
    {
      'servers 0 url': '{base_url}/{region}',
      'servers 0 variables region': { default: 'eu', description: 'Region.' },
    },
    'server-base',
    'servers 0 variables',
  ),
  refuse(
    'a query in a path',
    { 'paths /notes?all=1': { get: undefined }, [`${list} x-sdk`]: 'notes.list' },
    'path-not-include-query',
    'paths /notes?all=1',
  ),
  refuse(
    'a parameter in a path with a name of other characters',
    {
      'paths /lists/{list-id}': {
        parameters: [
          { name: 'list-id', in: 'path', required: true, description: 'ID.', example: 1, schema: { type: 'integer' } },
        ],
        delete: {
          operationId: 'deleteList',
          tags: ['Notes'],
          summary: 'Delete a list',
          description: 'Deletes a list.',
          'x-source': '1 §4',
          'x-sdk': 'lists.delete',
          'x-effect': 'delete',
          'x-undo': 'none',
          responses: { '204': { description: 'Done.' }, default: { $ref: '#/components/responses/Error' } },
        },
      },
    },
    'path-form',
    'paths /lists/{list-id}',
  ),
  refuse(
    'a parameter in a part of a segment',
    {
      'paths /exports/{noteId}.json': {
        parameters: [
          { name: 'noteId', in: 'path', required: true, description: 'ID.', example: 1, schema: { type: 'integer' } },
        ],
        delete: {
          operationId: 'deleteExport',
          tags: ['Notes'],
          summary: 'Delete an export',
          description: 'Deletes an export.',
          'x-source': '1 §4',
          'x-sdk': 'exports.delete',
          'x-effect': 'delete',
          'x-undo': 'none',
          responses: { '204': { description: 'Done.' }, default: { $ref: '#/components/responses/Error' } },
        },
      },
    },
    'path-form',
    'paths /exports/{noteId}.json',
  ),
  refuse(
    'a query parameter with a reserved character in its name',
    { [added]: parameter(text, { name: 'a&b', example: 'a' }) },
    'parameter-name',
    `${added} name`,
  ),
  refuse(
    'a query parameter with a letter that an address does not have',
    { [added]: parameter(text, { name: 'größe', example: 'a' }) },
    'parameter-name',
    `${added} name`,
  ),
  refuse(
    'a parameter twice',
    {
      [added]: parameter(text, { example: 'a' }),
      [`${list} parameters 3`]: parameter(text, { example: 'b' }),
    },
    'operation-parameters-unique',
    `${list} parameters 3`,
  ),
  refuse(
    'a parameter that refers to a schema',
    { [added]: { $ref: '#/components/schemas/Color' } },
    'reference-kind',
    `${added} $ref`,
  ),
  refuse(
    'a schema that refers to a parameter',
    { [`${note} color`]: { $ref: '#/components/parameters/Limit' } },
    'reference-kind',
    `${note} color $ref`,
  ),
  refuse(
    'a reference that leads to itself',
    { 'components schemas Color': { $ref: '#/components/schemas/Color' } },
    'reference-kind',
    'components schemas Color $ref',
  ),
];

const operations: RefusedEdit[] = [
  refuse(
    'a page size above the documented one',
    { [`${list} x-pagination maximum`]: 500 },
    'pagination-fields',
    `${list} x-pagination`,
  ),
  refuse(
    'a page size that is text',
    { 'components parameters Limit schema': text, 'components parameters Limit example': 'a' },
    'pagination-fields',
    `${list} x-pagination`,
  ),
  refuse(
    'an offset with another name',
    {
      [`${list} parameters 1 name`]: 'skip',
      [`${list} x-pagination offset`]: 'skip',
    },
    'pagination-fields',
    `${list} x-pagination`,
  ),
  refuse(
    'places that differ in capitals only',
    { [`${createTag} x-sdk`]: 'a.bC.create', [`${remove} x-sdk`]: 'a.b.c.create' },
    'sdk-unique',
    `${createTag} x-sdk`,
  ),
  refuse('a method inside another method', { [`${search} x-sdk`]: 'notes.list.all' }, 'sdk-unique'),
  refuse('a deprecation in words', { [`${list} deprecated`]: 'yes' }, 'struct'),
  refuse(
    'a success without content that has a body',
    { [`${remove} responses 204 content`]: {} },
    'content-schema',
    `${remove} responses 204`,
  ),
  refuse(
    'a body of a status that has none',
    {
      [`${remove} responses 204 content`]: {
        'application/json': {
          schema: {
            type: 'object',
            description: 'A thing.',
            properties: { id: { type: 'integer', description: 'ID.' } },
          },
          examples: { one: { summary: 'One', value: { id: 1 } } },
        },
      },
    },
    'response-content',
    `${remove} responses 204`,
  ),
  refuse(
    'two tags of an operation',
    { [`${list} tags`]: ['Notes', 'Tokens'] },
    'operation-singular-tag',
    `${list} tags`,
  ),
  refuse('an unknown tag', { [`${list} tags`]: ['Lists'] }, 'operation-tag-defined', `${list} tags 0`),
  refuse('another credential of an operation', { [`${list} security`]: [{ other: [] }] }, 'security-override'),
  refuse(
    'a GET that changes something',
    { [`${list} x-effect`]: 'write', [`${list} x-undo`]: 'none' },
    'effect-reads',
    `${list} x-effect`,
  ),
  refuse(
    'an example without a value',
    { [`${tagExamples} word value`]: undefined },
    'example-value',
    `${tagExamples} word`,
  ),
  refuse(
    'a paragraph instead of a status',
    { [`${createTag} responses ok`]: { description: 'Done.' } },
    'struct',
    `${createTag} responses ok`,
  ),
];

const schemas: RefusedEdit[] = [
  refuse('true as a schema of a field', { [word]: true }, 'condition-form'),
  refuse(
    'true as the schema of items',
    {
      [`${word}s`]: { type: 'array', description: 'Words.', items: true },
      'components schemas Tag properties words': { type: 'array', description: 'Words.', items: text },
    },
    'open-shape',
    `${word}s`,
  ),
  refuse('false as a condition', { [`${word} not`]: false }, 'struct', `${word} not`),
  refuse(
    'an unknown name in a condition',
    {
      'components schemas Note then required': ['remindOn'],
      'components schemas Note then properties': { remindOn: text },
    },
    'condition-form',
    'components schemas Note',
  ),
  refuse(
    'an unknown name in dependentRequired',
    {
      'components schemas Note dependentRequired': { text: ['colour'] },
      'components schemas Note if': undefined,
      'components schemas Note then': undefined,
    },
    'condition-form',
    'components schemas Note',
  ),
  refuse(
    'an infinite limit',
    { [`${list} parameters 1 schema`]: { type: 'integer', maximum: Number.POSITIVE_INFINITY } },
    'values-fit',
    `${list} parameters 1 schema maximum`,
  ),
  refuse('a limit that numbers cannot represent', { [`${list} parameters 1 schema maximum`]: 2 ** 60 }, 'values-fit'),
  refuse(
    'objects in an enum',
    {
      [`${word} enum`]: [{ a: 1 }],
      [`${word} x-enum-varnames`]: ['A'],
      [`${word} x-enumDescriptions`]: { '[object Object]': 'A.' },
    },
    'values-fit',
    `${word} enum`,
  ),
  refuse(
    'a list as a constant',
    { [word]: { type: 'array', description: 'Words.', items: text, const: ['a'] } },
    'values-fit',
    `${word} const`,
  ),
  refuse(
    'a date that does not exist',
    {
      [word]: { type: 'string', format: 'date', description: 'Day.', default: '2026-02-30' },
      [`${tagExamples} word value word`]: '2026-02-28',
      [`${createTag} x-sends-if`]: undefined,
    },
    'values-fit',
    `${word} default`,
  ),
  refuse(
    'an object and a text in one type',
    {
      [word]: {
        type: ['object', 'string'],
        description: 'A thing.',
        properties: { a: { ...text, description: 'A.' } },
      },
    },
    'schema-form',
    `${word} type`,
  ),
  refuse(
    'the schema of an encoded text without its media type',
    { [`${word} contentSchema`]: { $ref: '#/components/schemas/Layout' } },
    'string-media-type',
  ),
  refuse(
    'an encoding of a number',
    { [word]: { type: 'integer', description: 'A number.', contentEncoding: 'base64' } },
    'keyword-type',
    `${word} contentEncoding`,
  ),
  refuse('a merge key of YAML', { [`${word} <<`]: { maxLength: 50 } }, 'yaml'),
  refuse(
    'a part that contains the whole',
    { 'components schemas Tag allOf': [{ $ref: '#/components/schemas/Tag' }] },
    'all-of-agrees',
  ),
  refuse(
    'a closed reply',
    { 'components schemas Layout additionalProperties': false },
    'schema-form',
    'components schemas Layout additionalProperties',
  ),
];

const names: RefusedEdit[] = [
  refuse(
    'a component named like an export of the client',
    {
      'components schemas Page': component({
        type: 'object',
        properties: { word: { ...text, description: 'A word.' } },
      }),
      [`${tagReply} content application/json schema properties data $ref`]: '#/components/schemas/Page',
    },
    'name-reserved',
    'components schemas Page',
  ),
  refuse(
    'a component named like the parameters of a method',
    {
      'components schemas TagsCreateParams': component({
        type: 'object',
        properties: { word: { ...text, description: 'The word.' } },
      }),
      [`${tagReply} content application/json schema properties data $ref`]: '#/components/schemas/TagsCreateParams',
    },
    'name-taken',
    'components schemas TagsCreateParams',
  ),
  refuse(
    'a component named like the fields of a record of accounts',
    {
      'components schemas TagFields': component({
        type: 'object',
        properties: { word: { ...text, description: 'The word.' } },
      }),
      [`${note} color`]: { $ref: '#/components/schemas/TagFields', description: 'Fields.' },
      'components schemas Note if': undefined,
      'components schemas Note then': undefined,
      'components schemas Color': undefined,
    },
    'name-taken',
    'components schemas TagFields',
  ),
  refuse(
    'a component named like the validator of a reply',
    {
      'components schemas CreateTagResponse': component({
        type: 'object',
        properties: { word: { ...text, description: 'The word.' } },
      }),
      [`${tagReply} content application/json schema properties data $ref`]: '#/components/schemas/CreateTagResponse',
    },
    'name-taken',
    'components schemas CreateTagResponse',
  ),
];

/** A text with a name that the spec does not have. */
const unknownName = (edit: string, place: string, text: string): RefusedEdit =>
  refuse(edit, { [place]: text }, 'text-names');
/** A description of the word of a tag that disagrees with its schema. */
const otherLimit = (edit: string, schema: object, description: string): RefusedEdit =>
  refuse(edit, { [word]: { ...schema, description } }, 'text-limits', `${word} description`);

const descriptions: RefusedEdit[] = [
  unknownName('a description with the old name of a field', `${word} description`, 'The word, or else the `label`.'),
  unknownName('a rule with a parameter that was removed', 'info x-rules 0 text', 'At most 64 KB, without `cursor`.'),
  unknownName('a meaning with another enum value', 'components schemas Color x-enumDescriptions red', 'Not `blue`.'),
  unknownName('a point with the old name of a field', 'components schemas Tag x-open', 'Only its `label` is known.'),
  unknownName('an advice with the old name of a field', `${create} x-errors 12 advice`, 'Write a `body`.'),
  unknownName('a description with an operation that was removed', `${list} description`, 'See `searchNotes`.'),
  unknownName('a description with a path that moved', `${list} description`, 'Lists notes, as `GET /notes/all` does.'),
  unknownName('a path with the method of another one', `${list} description`, 'Undone by `DELETE /notes`.'),
  unknownName('a prefix that no path has', `${list} description`, 'Its path begins with `/v2/`.'),
  unknownName('a field in a record that does not have it', `${list} description`, 'Sorted by `layout.rows`.'),
  unknownName('a parameter with a value that it does not have', `${list} description`, 'Sorted with `color=blue`.'),
  unknownName('a value of a parameter that was removed', `${list} description`, 'Sorted with `sort=red`.'),
  unknownName(
    'a header that is not that of the credential',
    `${list} description`,
    'Needs the header `Idempotency-Key`.',
  ),
  otherLimit('a number of characters that is not `maxLength`', { ...text, maxLength: 255 }, 'At most 250 characters.'),
  otherLimit('a number before its phrase', { ...text, maxLength: 255 }, 'A word, 250 characters at most.'),
  otherLimit('a number of characters that is not `minLength`', { ...text, minLength: 3 }, 'At least 2 characters.'),
  otherLimit('a range that ends above', { ...text, minLength: 1, maxLength: 50 }, 'A word, 1 to 60 characters.'),
  otherLimit('a range that begins below', { ...text, minLength: 1, maxLength: 50 }, 'Between 0 and 50 characters.'),
  otherLimit('a number with a comma', { ...text, maxLength: 65535 }, 'Up to 65,536 characters.'),
  otherLimit('another default', { type: 'integer', default: 18000 }, 'Seconds. The default is 3600.'),
  otherLimit('another default in brackets', { type: 'integer', default: 18000 }, 'One hour (3600) if omitted.'),
  otherLimit('another constant', { type: 'integer', const: 3 }, 'Kind of the word. Always 4.'),
  otherLimit('another number of items', { ...strings, maxItems: 10 }, 'Words, no more than 20.'),
  otherLimit(
    'another length of the items',
    { type: 'array', items: { ...text, maxLength: 20 } },
    'Words of up to 10 characters.',
  ),
  refuse(
    'a limit of a parameter that is not its `maximum`',
    { 'components parameters Limit description': 'How many notes to return, up to 50.' },
    'text-limits',
  ),
  refuse(
    'a range that is not that of the enum',
    {
      'components schemas Size': component({
        type: 'integer',
        enum: [0, 1, 2],
        'x-enum-varnames': ['Small', 'Middle', 'Large'],
        'x-enumDescriptions': { 0: 'Small.', 1: 'Middle.', 2: 'Large.' },
      }),
      [word]: { $ref: '#/components/schemas/Size', description: 'Size of the word, 0 to 3.' },
    },
    'text-limits',
    `${word} description`,
  ),
];

export const furtherEdits: readonly RefusedEdit[] = [
  ...bodies,
  ...addresses,
  ...operations,
  ...schemas,
  ...names,
  ...descriptions,
];
