import { create, createTag, list, note, remove, search } from '../mutation.ts';
import { type RefusedEdit, refuse } from './refuse.ts';

/** The third parameter of the list. */
const added = `${list} parameters 2`;
const tag = 'components schemas Tag properties word';
const word = 'components schemas TagCreate properties word';
const noteId = 'paths /notes/{noteId} parameters 0';
const tagReply = `${createTag} responses 200`;
const tagBody = `${tagReply} content application/json schema`;
const tagExample = `${tagReply} content application/json examples tag value`;
const tagRequest = `${createTag} requestBody content`;
const url = '{base_url}/notes';

function parameter(schema: object, more: object = {}): object {
  return { name: 'ids', in: 'query', description: 'Some IDs.', example: [1], schema, ...more };
}

const integers = { type: 'array', items: { type: 'integer' } };
const pair = { type: 'object', properties: { from: { type: 'string', description: 'First.' } } };
const json = (schema: object, value: unknown) => ({
  'application/json': { schema, examples: { one: { summary: 'One', value } } },
});
const tagMedia = json({ $ref: '#/components/schemas/TagCreate' }, { word: 'urgent' })['application/json'];
const component = (schema: object): object => ({ description: 'A thing.', 'x-source': '1 §2', ...schema });

const parameters: RefusedEdit[] = [
  refuse('a path parameter in matrix style', { [`${noteId} style`]: 'matrix' }, 'keyword-known'),
  refuse(
    'a query list in one value',
    { [added]: parameter(integers, { explode: false }) },
    'keyword-known',
    `${added} explode`,
  ),
  refuse(
    'a parameter in a cookie',
    { [added]: parameter({ type: 'string' }, { in: 'cookie', example: 'a' }) },
    'parameter-place',
    `${added} in`,
  ),
  refuse(
    'reserved characters as they are',
    { [added]: parameter({ type: 'string' }, { example: 'a', allowReserved: true }) },
    'keyword-known',
    `${added} allowReserved`,
  ),
  refuse(
    'an empty value',
    { [added]: parameter({ type: 'string' }, { example: 'a', allowEmptyValue: true }) },
    'keyword-known',
    `${added} allowEmptyValue`,
  ),
  refuse(
    'a parameter with content',
    {
      [added]: {
        name: 'ids',
        in: 'query',
        description: 'IDs.',
        example: [1],
        content: { 'application/json': { schema: integers } },
      },
    },
    'keyword-known',
    `${added} content`,
  ),
  refuse(
    'several examples of a parameter',
    { [added]: parameter(integers, { example: undefined, examples: { one: { value: [1] } } }) },
    'keyword-known',
    `${added} examples`,
  ),
  refuse(
    'a path parameter of two types',
    { [`${noteId} schema type`]: ['string', 'integer'] },
    'parameter-type',
    `${noteId} schema`,
  ),
  refuse(
    'a path parameter that is true or false',
    { [`${noteId} schema type`]: 'boolean', [`${noteId} example`]: true },
    'parameter-type',
    `${noteId} schema`,
  ),
  refuse(
    'a path parameter that is a list',
    { [`${noteId} schema`]: integers, [`${noteId} example`]: [1] },
    'parameter-type',
    `${noteId} schema`,
  ),
  refuse(
    'a path parameter that is an object',
    { [`${noteId} schema`]: pair, [`${noteId} example`]: { from: 'a' } },
    'parameter-type',
    `${noteId} schema`,
  ),
  refuse(
    'a path parameter without a type',
    { [`${noteId} schema`]: { 'x-open': 'Its type is not documented.' } },
    'parameter-type',
    `${noteId} schema`,
  ),
  refuse(
    'a query parameter that may be null',
    { [added]: parameter({ type: ['integer', 'null'] }, { example: 1 }) },
    'parameter-type',
    `${added} schema`,
  ),
  refuse(
    'a query list of objects',
    { [added]: parameter({ type: 'array', items: pair }, { example: [{ from: 'a' }] }) },
    'parameter-type',
    `${added} schema`,
  ),
  refuse(
    'an open query object',
    {
      [added]: parameter(
        { type: 'object', additionalProperties: true, 'x-open': 'Its fields are not documented.' },
        { example: {} },
      ),
    },
    'parameter-type',
    `${added} schema`,
  ),
  refuse(
    'a parameter in a header',
    { [added]: parameter({ type: 'string' }, { in: 'header', name: 'X-Trace', example: 'a' }) },
    'parameter-place',
    `${added} in`,
  ),
  refuse(
    'a name twice, in path and query',
    { 'paths /notes/{noteId} delete parameters': [parameter({ type: 'integer' }, { name: 'noteId', example: 1 })] },
    'fields-unique',
    `${remove} parameters 0`,
  ),
  refuse(
    'a name twice, in query and body',
    { [`${createTag} parameters`]: [parameter({ type: 'string' }, { name: 'word', example: 'a' })] },
    'fields-unique',
    `${createTag} parameters 0`,
  ),
  refuse(
    'a description beside the reference to a parameter',
    { [`${list} parameters 0 description`]: 'Another text.' },
    'keyword-known',
  ),
  refuse('an optional path parameter', { [`${noteId} required`]: false }, 'parameter-required', `${noteId} required`),
  refuse(
    'a parameter that is not in the path',
    { [added]: parameter({ type: 'integer' }, { in: 'path', required: true, example: 1 }) },
    'path-parameters-defined',
    `${added} name`,
  ),
  refuse(
    'a parameter in the whole query',
    { [added]: parameter({ type: 'string' }, { in: 'querystring', example: 'a' }) },
    'struct',
    `${added} in`,
  ),
  refuse(
    'an example of a parameter with another type',
    { [`${noteId} example`]: 'seven' },
    'no-invalid-parameter-examples',
  ),
];

const documents: RefusedEdit[] = [
  refuse(
    'webhooks',
    { webhooks: { noteCreated: { post: { responses: { '200': { description: 'Done.' } } } } } },
    'keyword-known',
  ),
  refuse('another dialect', { jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema' }, 'keyword-known'),
  refuse(
    'a second server',
    {
      'servers 1': {
        url: '{base_url}/other',
        description: 'Other.',
        variables: { base_url: { default: 'https://api.example.com', description: 'Address.' } },
      },
    },
    'server-one',
    'servers',
  ),
  refuse('a server without base_url', { 'servers 0 url': 'https://{base_url}/notes' }, 'server-base', 'servers 0 url'),
  refuse(
    'a server variable without a default',
    {
      'servers 0 url': '{base_url}/{region}',
      'servers 0 variables region': { description: 'Region.', enum: ['eu', 'us'] },
    },
    'struct',
    'servers 0 variables region',
  ),
  refuse(
    'a server variable that a user must choose',
    {
      'servers 0 url': '{base_url}/{region}',
      'servers 0 variables region': { default: 'eu', description: 'Region.', enum: ['eu', 'us'] },
    },
    'keyword-known',
    'servers 0 variables region enum',
  ),
  refuse(
    'a variable of the address that is not described',
    { 'servers 0 url': `${url}/{region}` },
    'no-undefined-server-variable',
    'servers 0 url',
  ),
  refuse('servers of a path', { 'paths /notes servers': [{ url: '{base_url}' }] }, 'keyword-known'),
  refuse('shared callbacks', { 'components callbacks': {} }, 'keyword-known'),
  refuse('shared links', { 'components links': {} }, 'keyword-known'),
  refuse(
    'shared headers',
    { 'components headers': { Rate: { description: 'Rate.', schema: { type: 'integer' } } } },
    'keyword-known',
    'components headers',
  ),
  refuse('shared path items', { 'components pathItems': {} }, 'keyword-known'),
  refuse('shared examples', { 'components examples': {} }, 'keyword-known'),
  refuse('external documentation', { externalDocs: { url: 'https://example.com' } }, 'keyword-known'),
  refuse('external documentation of a tag', { 'tags 0 externalDocs': { url: 'https://example.com' } }, 'keyword-known'),
  refuse('a tag with a parent', { 'tags 0 parent': 'Tokens' }, 'struct'),
  refuse('terms of service', { 'info termsOfService': 'https://example.com' }, 'keyword-known'),
  refuse('OpenAPI 3.2', { openapi: '3.2.0' }, 'openapi-version'),
  refuse('OpenAPI 3.0', { openapi: '3.0.3' }, 'openapi-version'),
  refuse(
    'a second credential',
    {
      'components securitySchemes key': {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://example.com',
        description: 'A key.',
      },
    },
    'keyword-known',
    'components securitySchemes key openIdConnectUrl',
  ),
  refuse('an operation with two credentials', { [`${list} security`]: [{ bearerAuth: [] }, {}] }, 'security-override'),
  refuse('an unused extension', { 'x-notes': 'Unknown.' }, 'extension-known'),
];

const operations: RefusedEdit[] = [
  refuse(
    'callbacks',
    {
      [`${create} callbacks`]: {
        done: { '{$request.body#/url}': { post: { responses: { '200': { description: 'Done.' } } } } },
      },
    },
    'keyword-known',
  ),
  refuse(
    'PATCH',
    {
      'paths /notes patch': {
        summary: 'Change',
        operationId: 'updateNotes',
        responses: { '200': { description: 'Done.' } },
      },
    },
    'keyword-known',
  ),
  refuse(
    'HEAD',
    {
      'paths /notes head': { summary: 'Head', operationId: 'getHead', responses: { '200': { description: 'Done.' } } },
    },
    'keyword-known',
  ),
  refuse(
    'OPTIONS',
    {
      'paths /notes options': {
        summary: 'Options',
        operationId: 'getOptions',
        responses: { '200': { description: 'Done.' } },
      },
    },
    'keyword-known',
  ),
  refuse(
    'TRACE',
    {
      'paths /notes trace': {
        summary: 'Trace',
        operationId: 'getTrace',
        responses: { '200': { description: 'Done.' } },
      },
    },
    'keyword-known',
  ),
  refuse(
    'the method QUERY',
    {
      'paths /notes query': {
        summary: 'Query',
        operationId: 'getQuery',
        responses: { '200': { description: 'Done.' } },
      },
    },
    'struct',
  ),
  refuse("methods of one's own", { 'paths /notes additionalOperations': {} }, 'struct'),
  refuse('a summary of a path', { 'paths /notes summary': 'Notes' }, 'keyword-known'),
  refuse('a description of a path', { 'paths /notes description': 'Notes.' }, 'keyword-known'),
  refuse(
    'a reference to a path',
    { 'paths /copies': { $ref: '#/paths/~1notes' } },
    'reference-local',
    'paths /copies $ref',
  ),
  refuse(
    'external documentation of an operation',
    { [`${list} externalDocs`]: { url: 'https://example.com' } },
    'keyword-known',
  ),
  refuse('a misspelt key', { [`${list} sumary`]: 'List notes' }, 'struct'),
  refuse(
    'a verb that does not fit',
    { [`${list} operationId`]: 'updateNotes' },
    'operation-id-verb',
    `${list} operationId`,
  ),
  refuse('a multipart body', { [`${tagRequest} multipart/form-data`]: tagMedia }, 'request-mime-type'),
  refuse('a binary body', { [`${tagRequest} application/octet-stream`]: tagMedia }, 'request-mime-type'),
  refuse('a form', { [`${tagRequest} application/x-www-form-urlencoded`]: tagMedia }, 'request-mime-type'),
  refuse(
    'an encoding of a part',
    { [`${tagRequest} application/json encoding`]: { word: { contentType: 'text/plain' } } },
    'keyword-known',
  ),
  refuse(
    'one example without a name',
    { [`${tagRequest} application/json example`]: { word: 'urgent' } },
    'keyword-known',
    `${tagRequest} application/json example`,
  ),
  refuse(
    'an example elsewhere',
    { [`${tagRequest} application/json examples word`]: { summary: 'A word', externalValue: 'https://example.com' } },
    'reference-local',
    `${tagRequest} application/json examples word externalValue`,
  ),
  refuse(
    'a body of GET',
    {
      [`${list} requestBody`]: { description: 'What.', content: json({ $ref: '#/components/schemas/NoteFilter' }, {}) },
    },
    'body-method',
  ),
  refuse(
    'a body that is text',
    {
      [`${search} requestBody content application/json schema $ref`]: '#/components/schemas/Color',
      [`${search} requestBody content application/json examples everything value`]: 'red',
      [`${search} x-pagination`]: undefined,
      'components schemas NoteFilter': undefined,
    },
    'body-form',
    `${search} requestBody content application/json schema`,
  ),
  refuse(
    'a body of parts',
    {
      'components schemas TagCreate': component({
        'x-record': 'Tag',
        allOf: [{ $ref: '#/components/schemas/NoteFilter' }],
        type: 'object',
        properties: { word: { type: 'string', description: 'The word.' } },
      }),
      [`${createTag} x-people`]: undefined,
      [`${createTag} x-test-mode`]: undefined,
    },
    'body-whole',
    'components schemas TagCreate allOf',
  ),
  refuse(
    'a file inside an object of a body',
    {
      'components schemas TagCreate properties file': {
        type: 'object',
        description: 'A file.',
        properties: { content: { type: 'string', description: 'Content.', contentEncoding: 'base64' } },
      },
      'components schemas Tag properties file': { type: 'string', description: 'Address of the file.' },
    },
    'body-encoding',
    'components schemas TagCreate properties file',
  ),
  refuse(
    'paging of something that is no list',
    {
      [`${createTag} x-pagination`]: { in: 'body', limit: 'limit', offset: 'offset' },
      'components schemas TagCreate properties limit': { type: 'integer', description: 'Size.' },
      'components schemas TagCreate properties offset': { type: 'integer', description: 'Offset.' },
      'components schemas Tag properties limit': { type: 'integer', description: 'Size.' },
      'components schemas Tag properties offset': { type: 'integer', description: 'Offset.' },
    },
    'pagination-list',
    `${createTag} x-pagination`,
  ),
  refuse(
    'a list with a cursor',
    {
      [`${list} x-pagination`]: undefined,
      [`${list} parameters`]: [parameter({ type: 'string' }, { name: 'cursor', example: 'a' })],
    },
    'pagination-fields',
    list,
  ),
  refuse(
    'a list with pages',
    {
      [`${list} x-pagination`]: undefined,
      [`${list} parameters`]: [parameter({ type: 'integer' }, { name: 'page', example: 1 })],
    },
    'pagination-fields',
    list,
  ),
  refuse(
    'a list with a page size only',
    { [`${list} x-pagination`]: undefined, [`${list} parameters 1`]: undefined },
    'pagination-fields',
    list,
  ),
  refuse(
    'a body with a page token',
    {
      'components schemas TagCreate properties page_token': { type: 'string', description: 'Where to go on.' },
      'components schemas Tag properties page_token': { type: 'string', description: 'Where to go on.' },
    },
    'pagination-fields',
    createTag,
  ),
];

const replies: RefusedEdit[] = [
  refuse(
    'two success bodies',
    {
      [`${createTag} responses 202`]: {
        description: 'Accepted.',
        content: json({ type: 'object', properties: { id: { type: 'integer', description: 'ID.' } } }, { id: 1 }),
      },
    },
    'success-one',
    `${createTag} responses 202`,
  ),
  refuse(
    'a body or none',
    { [`${createTag} responses 204`]: { description: 'Done.' } },
    'success-one',
    `${createTag} responses 204`,
  ),
  refuse('a range of statuses', { [`${createTag} responses 2XX`]: { description: 'Done.' } }, 'response-status'),
  refuse('a redirection', { [`${createTag} responses 302`]: { description: 'Elsewhere.' } }, 'response-status'),
  refuse('an interim response', { [`${createTag} responses 103`]: { description: 'Hints.' } }, 'response-status'),
  refuse(
    'headers of a success',
    { [`${tagReply} headers`]: { 'X-RateLimit-Remaining': { description: 'Left.', schema: { type: 'integer' } } } },
    'keyword-known',
  ),
  refuse('links', { [`${tagReply} links`]: { next: { operationId: 'createTag' } } }, 'keyword-known'),
  refuse(
    'text as a success',
    {
      [`${tagReply} content text/plain`]: {
        schema: { type: 'string', description: 'Text.' },
        examples: { one: { summary: 'One', value: 'a' } },
      },
    },
    'response-mime-type',
  ),
  refuse('no content in content', { [`${tagReply} content`]: {} }, 'content-schema', tagReply),
  refuse(
    'an unknown envelope',
    {
      [tagBody]: {
        type: 'object',
        properties: { response: { $ref: '#/components/schemas/Tag', description: 'The tag.' } },
      },
      [tagExample]: { response: { word: 'urgent' } },
    },
    'envelope-known',
    tagBody,
  ),
  refuse(
    'a list under an unknown key',
    {
      [tagBody]: {
        type: 'object',
        properties: {
          data: {
            type: 'object',
            description: 'The data.',
            properties: { items: { type: 'array', description: 'Tags.', items: { $ref: '#/components/schemas/Tag' } } },
          },
        },
      },
      [tagExample]: { data: { items: [] } },
    },
    'envelope-known',
    tagBody,
  ),
  refuse(
    'records beside the payload',
    {
      [tagBody]: {
        type: 'object',
        properties: {
          data: { $ref: '#/components/schemas/Tag', description: 'The tag.' },
          included: { type: 'array', description: 'Others.', items: { $ref: '#/components/schemas/Tag' } },
        },
      },
      [tagExample]: { data: { word: 'urgent' }, included: [] },
    },
    'envelope-known',
    tagBody,
  ),
  refuse('an envelope word that does not exist', { [`${tagReply} x-envelope`]: 'the payload' }, 'envelope-form'),
  refuse('an envelope with a key that the reply lacks', { [`${tagReply} x-envelope`]: 'data.items' }, 'envelope-form'),
];

const keywords: RefusedEdit[] = [
  ...Object.entries({
    $anchor: 'word',
    $comment: 'Why.',
    $defs: {},
    $dynamicAnchor: 'word',
    $dynamicRef: '#word',
    $id: 'https://example.com/word',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    contains: { type: 'string' },
    dependentSchemas: {},
    discriminator: { propertyName: 'word' },
    example: 'urgent',
    externalDocs: { url: 'https://example.com' },
    maxContains: 1,
    minContains: 1,
    patternProperties: {},
    prefixItems: [{ type: 'string' }],
    propertyNames: { type: 'string' },
    readOnly: true,
    unevaluatedItems: true,
    unevaluatedProperties: true,
    writeOnly: true,
    xml: { name: 'word' },
  }).map(([keyword, value]) => refuse(`the keyword ${keyword}`, { [`${word} ${keyword}`]: value }, 'keyword-known')),
  refuse('nullable', { [`${word} nullable`]: true }, 'struct'),
  refuse('an unknown keyword', { [`${word} maxSize`]: 7 }, 'struct'),
  refuse('a limit beside a reference', { [`${note} color maxLength`]: 7 }, 'keyword-known'),
  refuse(
    'a reference to another address',
    { [`${note} color`]: { $ref: 'https://api.example.com/color.yaml' } },
    'reference-local',
    `${note} color $ref`,
  ),
  refuse(
    'a reference to another file',
    { [`${note} color`]: { $ref: './color.yaml' } },
    'reference-local',
    `${note} color $ref`,
  ),
  refuse(
    'a reference to a place that is no component',
    { [`${note} color`]: { $ref: '#/components/schemas/Note/properties/text' } },
    'reference-local',
    `${note} color $ref`,
  ),
  refuse(
    'a reference that leads nowhere',
    { [`${note} color`]: { $ref: '#/components/schemas/Colour' } },
    'invalid-ref',
    `${note} color $ref`,
  ),
];

const values: RefusedEdit[] = [
  refuse(
    'a misspelt name in required',
    { 'components schemas Note required 0': 'txet' },
    'no-required-schema-properties-undefined',
  ),
  refuse(
    'a misspelt name in required of an open record',
    { 'components schemas Tag required': ['wrod'] },
    'no-required-schema-properties-undefined',
    'components schemas Tag required 0',
  ),
  refuse('a limit in quotes', { [`${word} maxLength`]: '255' }, 'struct'),
  refuse('a negative length', { [`${word} minLength`]: -1 }, 'struct'),
  refuse(
    'a minimum above the maximum',
    { [`${list} parameters 1 schema`]: { type: 'integer', minimum: 5, maximum: 1 } },
    'limits-ordered',
    `${list} parameters 1 schema minimum`,
  ),
  refuse(
    'more characters than allowed',
    { [word]: { type: 'string', description: 'Word.', minLength: 5, maxLength: 1 } },
    'limits-ordered',
    `${word} minLength`,
  ),
  refuse(
    'more items than allowed',
    {
      [word]: { ...integers, description: 'Words.', minItems: 5, maxItems: 1 },
      [`${tagRequest} application/json examples word value word`]: undefined,
      [`${createTag} x-sends-if`]: undefined,
    },
    'limits-ordered',
    `${word} minItems`,
  ),
  refuse('a length of an integer', { [`${list} parameters 1 schema minLength`]: 5 }, 'keyword-type'),
  refuse('a maximum of text', { [`${word} maximum`]: 5 }, 'keyword-type'),
  refuse('items of text', { [`${word} maxItems`]: 5 }, 'keyword-type'),
  refuse(
    'fields of text',
    { [`${word} properties`]: { one: { type: 'string', description: 'One.' } } },
    'keyword-type',
  ),
  refuse('a pattern of an integer', { [`${list} parameters 1 schema pattern`]: '^1' }, 'keyword-type'),
  refuse('a date that is an integer', { [`${list} parameters 1 schema format`]: 'date' }, 'format-known'),
  refuse(
    'a list without items',
    {
      [`${note} text`]: { type: 'array', description: 'Texts.' },
      [`${create} requestBody content application/json examples textOnly value note text`]: undefined,
      'components schemas Note required': [],
      'components responses NoteList content application/json examples oneNote value': [],
    },
    'bare-object',
  ),
  refuse('a default of another type', { [`${word} default`]: 7 }, 'values-fit'),
  refuse('a default outside the enum', { 'components schemas Color default': 'blue' }, 'values-fit'),
  refuse('a default above the maximum', { 'components parameters Limit schema default': 500 }, 'values-fit'),
  refuse(
    'an enum value of another type',
    {
      'components schemas Color enum 1': 7,
      'components schemas Color x-enumDescriptions': { black: 'Ordinary.', 7: 'Urgent.' },
    },
    'values-fit',
  ),
  refuse(
    'an enum value twice',
    {
      'components schemas Color enum': ['black', 'red', 'red'],
      'components schemas Color x-enum-varnames': ['Black', 'Red', 'Red2'],
    },
    'no-duplicated-enum-values',
    'components schemas Color enum 2',
  ),
  refuse('a required name twice', { 'components schemas Note required': ['text', 'text'] }, 'schema-form'),
  refuse(
    'a misspelt name in required of a part',
    {
      'components schemas Both': component({
        allOf: [
          { $ref: '#/components/schemas/Tag' },
          { type: 'object', required: ['wrod'], properties: { size: { type: 'integer', description: 'Size.' } } },
        ],
      }),
      [`${tagBody} properties data`]: { $ref: '#/components/schemas/Both', description: 'Both.' },
      [`${tagExample} data`]: { wrod: 1 },
    },
    'no-required-schema-properties-undefined',
    'components schemas Both allOf 1 required 0',
  ),
  refuse('an empty enum', { [`${word} enum`]: [] }, 'schema-form'),
  refuse('a constant of another type', { [`${word} const`]: 7 }, 'values-fit'),
  refuse('a pattern that does not compile', { [`${word} pattern`]: '^(a' }, 'pattern-compiles'),
  refuse('a pattern of another language', { [`${word} pattern`]: '(?i)urgent' }, 'pattern-compiles'),
  refuse(
    'parts that contradict each other',
    { [tag]: { description: 'Word.', allOf: [{ type: 'string' }, { type: 'integer' }] } },
    'all-of-agrees',
    `${tag} allOf`,
  ),
  refuse(
    'fields of parts that contradict each other',
    {
      'components schemas Both': component({
        allOf: [
          { $ref: '#/components/schemas/Tag' },
          { type: 'object', properties: { word: { type: 'integer', description: 'Word.' } } },
        ],
      }),
      [`${tagBody} properties data`]: { $ref: '#/components/schemas/Both', description: 'Both.' },
      [`${tagExample} data`]: {},
    },
    'all-of-agrees',
    'components schemas Both allOf',
  ),
  refuse('an integer of 64 bits', { [`${list} parameters 1 schema format`]: 'int64' }, 'format-known'),
  refuse('an unknown format', { [`${word} format`]: 'phone' }, 'format-known'),
  refuse('a misspelt format', { [`${word} format`]: 'datetime' }, 'format-known'),
  refuse('a password', { [`${word} format`]: 'password' }, 'format-known'),
  refuse('bytes as a format', { [`${word} format`]: 'byte' }, 'format-known'),
  refuse('Base64 for URLs', { [`${word} contentEncoding`]: 'base64url' }, 'string-encoding'),
  refuse('an exclusive minimum of OpenAPI 3.0', { [`${list} parameters 1 schema exclusiveMinimum`]: true }, 'struct'),
  refuse('a multiple of nothing', { [`${list} parameters 1 schema multipleOf`]: 0 }, 'keyword-known'),
  refuse('a type twice', { [`${word} type`]: ['string', 'string'] }, 'schema-form'),
  refuse('an unknown type', { [`${word} type`]: 'any' }, 'struct'),
  refuse('no branch', { [`${word} anyOf`]: [] }, 'no-illogical-composition-keywords'),
  refuse('required as in OpenAPI 2', { [`${word} required`]: true }, 'struct'),
];

const names: RefusedEdit[] = [
  refuse('a group named constructor', { [`${list} x-sdk`]: 'constructor.list' }, 'name-reserved'),
  refuse('a method named constructor', { [`${list} x-sdk`]: 'notes.constructor' }, 'name-reserved'),
  refuse('a group named like a method of objects', { [`${list} x-sdk`]: 'valueOf.list' }, 'name-reserved'),
  refuse('a method named then', { [`${list} x-sdk`]: 'notes.then' }, 'name-reserved'),
  refuse('a group named then', { [`${list} x-sdk`]: 'then.list' }, 'name-reserved'),
  refuse(
    'a field named constructor',
    { 'components schemas TagCreate properties constructor': { type: 'string', description: 'Who.' } },
    'name-reserved',
  ),
  refuse(
    'a field named __proto__',
    { 'components schemas TagCreate properties __proto__': { type: 'string', description: 'Who.' } },
    'yaml',
  ),
  refuse(
    'a field named toString',
    { 'components schemas Tag properties toString': { type: 'string', description: 'Who.' } },
    'name-reserved',
  ),
  refuse(
    'a record named then',
    { 'components schemas Tag properties then': { type: 'string', description: 'Next.' } },
    'name-reserved',
  ),
  refuse(
    'a parameter named hasOwnProperty',
    { [added]: parameter({ type: 'string' }, { name: 'hasOwnProperty', example: 'a' }) },
    'name-reserved',
    `${added} name`,
  ),
  refuse(
    'a component named like a type of TypeScript',
    {
      'components schemas Promise': component({ type: 'object', properties: {} }),
      [`${tagBody} properties data`]: { $ref: '#/components/schemas/Promise', description: 'A promise.' },
    },
    'name-reserved',
    'components schemas Promise',
  ),
  refuse('a place in the client twice', { [`${search} x-sdk`]: 'notes.list' }, 'sdk-unique'),
];

export const refusedEdits: readonly RefusedEdit[] = [
  ...parameters,
  ...documents,
  ...operations,
  ...replies,
  ...keywords,
  ...values,
  ...names,
];
