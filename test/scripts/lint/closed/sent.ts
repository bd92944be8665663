import { type Changes, createTag, list, remove, search } from '../mutation.ts';

/** An edit of the valid spec that lint accepts, with a call of the method and the request that the spec describes. */
export interface SentEdit {
  edit: string;
  changes: Changes;
  /** Place of the method, and its parameters. */
  call: [method: string, params?: Record<string, unknown>];
  /** Method and address after the host, and the body as JSON. */
  sends: [request: string, body?: string];
  /** Headers of the request that are parameters. */
  headers?: Record<string, string>;
  /** Part of the generated types of the parameters. */
  type?: string;
  /** Return value of the method for the example of the reply. */
  returns?: unknown;
}

const added = `${list} parameters 2`;
const parameter = (schema: object, more: object = {}): object => ({
  name: 'ids',
  in: 'query',
  description: 'Some IDs.',
  example: [1],
  schema,
  ...more,
});
const integers = { type: 'array', items: { type: 'integer' } };
const range = {
  type: 'object',
  properties: {
    from: { type: 'string', description: 'First.' },
    to: { type: 'string', description: 'Last.' },
  },
};
const text = { type: 'string' };
const component = (schema: object): object => ({ description: 'A thing.', 'x-source': '1 §2', ...schema });

/** `createTag` with a body that is one parameter. */
function wholeBody(schema: object, name: string, example: unknown): Changes {
  const media = `${createTag} requestBody content application/json`;
  return {
    'components schemas Things': component(schema),
    [`${media} schema`]: { $ref: '#/components/schemas/Things' },
    [`${media} examples`]: { one: { summary: 'One', value: example } },
    [`${createTag} x-sdk`]: { method: 'tags.create', nameBody: name },
    [`${createTag} x-people`]: undefined,
    [`${createTag} x-sends-if`]: undefined,
    [`${createTag} x-test-mode`]: undefined,
    [`${createTag} x-effect`]: 'write',
    'components schemas TagCreate': undefined,
    'components schemas Tag additionalProperties': undefined,
    'components schemas Tag x-open': undefined,
  };
}

const host = { default: 'https://api.example.com', description: 'Address of the platform.' };
const word = 'components schemas TagCreate properties word';
/** A record declares each field that a body writes. */
const tagWord = 'components schemas Tag properties word';
const noteId = 'paths /notes/{noteId} parameters 0';

export const sentEdits: readonly SentEdit[] = [
  {
    edit: 'a query list in the default style',
    changes: { [added]: parameter(integers) },
    call: ['notes.list', { ids: [1, 2] }],
    sends: ['GET /notes/notes?ids=1&ids=2&limit=100'],
    type: 'ids?: readonly number[] | undefined;',
  },
  {
    edit: 'a query list in one value',
    changes: { [added]: parameter(integers, { explode: false }) },
    call: ['notes.list', { ids: [1, 2] }],
    sends: ['GET /notes/notes?ids=1,2&limit=100'],
    type: 'ids?: readonly number[] | undefined;',
  },
  {
    edit: 'a query list with pipes',
    changes: { [added]: parameter(integers, { style: 'pipeDelimited', explode: false }) },
    call: ['notes.list', { ids: [1, 2] }],
    sends: ['GET /notes/notes?ids=1|2&limit=100'],
  },
  {
    edit: 'a query list with pipes, whose `explode` is false unless given',
    changes: { [added]: parameter(integers, { style: 'pipeDelimited' }) },
    call: ['notes.list', { ids: [1, 2] }],
    sends: ['GET /notes/notes?ids=1|2&limit=100'],
  },
  {
    edit: 'a query list with spaces',
    changes: { [added]: parameter(integers, { style: 'spaceDelimited' }) },
    call: ['notes.list', { ids: [1, 2] }],
    sends: ['GET /notes/notes?ids=1%202&limit=100'],
  },
  {
    edit: 'a query object in the default style',
    changes: { [added]: parameter(range, { example: { from: 'a' } }) },
    call: ['notes.list', { ids: { from: 'a', to: 'b c' } }],
    sends: ['GET /notes/notes?from=a&to=b%20c&limit=100'],
  },
  {
    edit: 'a deep query object',
    changes: { [added]: parameter(range, { example: { from: 'a' }, style: 'deepObject', explode: true }) },
    call: ['notes.list', { ids: { from: 'a', to: 'b' } }],
    sends: ['GET /notes/notes?ids[from]=a&ids[to]=b&limit=100'],
  },
  {
    edit: 'a query value of two types',
    changes: { [added]: parameter({ type: ['string', 'integer'] }, { example: 1 }) },
    call: ['notes.list', { ids: 'a b' }],
    sends: ['GET /notes/notes?ids=a%20b&limit=100'],
    type: 'ids?: string | number | undefined;',
  },
  {
    edit: 'a query value that is true or false',
    changes: { [added]: parameter({ type: 'boolean' }, { example: true }) },
    call: ['notes.list', { ids: false }],
    sends: ['GET /notes/notes?ids=false&limit=100'],
  },
  {
    edit: 'a required query value',
    changes: { [added]: parameter({ type: 'number' }, { example: 1.5, required: true }) },
    call: ['notes.list', { ids: 1.5 }],
    sends: ['GET /notes/notes?ids=1.5&limit=100'],
    type: 'ids: number;',
  },
  {
    edit: 'a deprecated query value',
    changes: { [added]: parameter({ type: 'string' }, { example: 'a', deprecated: true }) },
    call: ['notes.list', { ids: 'a' }],
    sends: ['GET /notes/notes?ids=a&limit=100'],
    type: '@deprecated',
  },
  {
    edit: 'a parameter of a path that the operation replaces',
    changes: {
      [`${remove} parameters`]: [
        { name: 'noteId', in: 'path', required: true, description: 'Name.', example: 'a', schema: { type: 'string' } },
      ],
    },
    call: ['notes.delete', { noteId: 'a/b' }],
    sends: ['DELETE /notes/notes/a%2Fb'],
    type: 'noteId: string;',
  },
  {
    edit: 'an integer in a path by reference',
    changes: {
      'components schemas NoteId': { type: 'integer', description: 'ID of a note.', 'x-source': '1 §2' },
      [`${noteId} schema`]: { $ref: '#/components/schemas/NoteId' },
    },
    call: ['notes.delete', { noteId: 7 }],
    sends: ['DELETE /notes/notes/7'],
    type: 'noteId: Models.NoteId;',
  },
  {
    edit: 'a second variable of the server, with a default',
    changes: {
      'servers 0 url': '{base_url}/{region}/v1',
      'servers 0 variables': { base_url: host, region: { default: 'eu', description: 'Region.' } },
    },
    call: ['notes.delete', { noteId: 7 }],
    sends: ['DELETE /eu/v1/notes/7'],
  },
  {
    edit: 'an optional field of a body',
    changes: {
      'components schemas TagCreate properties size': { type: 'integer', description: 'Size.' },
      'components schemas Tag properties size': { type: 'integer', description: 'Size.' },
    },
    call: ['tags.create', { word: 'urgent', size: 3 }],
    sends: ['POST /notes/tags', '{"word":"urgent","size":3}'],
  },
  {
    edit: 'a field that may be null',
    changes: { [`${word} type`]: ['string', 'null'] },
    call: ['tags.create', { word: null }],
    sends: ['POST /notes/tags', '{"word":null}'],
  },
  {
    edit: 'a list of records in a body',
    changes: {
      [`${word}s`]: { type: 'array', description: 'Notes.', items: { $ref: '#/components/schemas/Layout' } },
      [`${tagWord}s`]: { type: 'array', description: 'Notes.', items: { $ref: '#/components/schemas/Layout' } },
    },
    call: ['tags.create', { words: [{ columns: 2 }] }],
    sends: ['POST /notes/tags', '{"words":[{"columns":2}]}'],
  },
  {
    edit: 'a map in a body',
    changes: {
      [`${word}s`]: { type: 'object', description: 'Texts by name.', additionalProperties: { type: 'string' } },
      [`${tagWord}s`]: { type: 'object', description: 'Texts by name.', additionalProperties: { type: 'string' } },
    },
    call: ['tags.create', { words: { a: 'b' } }],
    sends: ['POST /notes/tags', '{"words":{"a":"b"}}'],
  },
  {
    edit: 'a body of DELETE',
    changes: {
      [`${remove} requestBody`]: {
        description: 'Why.',
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/TagCreate' },
            examples: { word: { summary: 'A word', value: { word: 'old' } } },
          },
        },
      },
    },
    call: ['notes.delete', { noteId: 7, word: 'old' }],
    sends: ['DELETE /notes/notes/7', '{"word":"old"}'],
  },
  {
    edit: 'a partial update',
    changes: {
      'paths /notes/{noteId} patch': {
        operationId: 'updateTag',
        summary: 'Change a tag',
        description: 'Changes a tag.',
        tags: ['Notes'],
        'x-source': '1 §4',
        'x-sdk': 'tags.update',
        'x-effect': 'write',
        'x-undo': 'previous-value',
        requestBody: {
          description: 'What to change.',
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/TagCreate' },
              examples: { word: { summary: 'A word', value: { word: 'old' } } },
            },
          },
        },
        responses: {
          '204': { description: 'The tag was changed.' },
          default: { $ref: '#/components/responses/Error' },
        },
      },
    },
    call: ['tags.update', { noteId: 7, word: 'old' }],
    sends: ['PATCH /notes/notes/7', '{"word":"old"}'],
  },
  {
    edit: 'a file',
    changes: {
      [`${word}s`]: { type: 'string', description: 'A picture.', contentEncoding: 'base64' },
      [`${tagWord}s`]: { type: 'string', description: 'Address of the picture.' },
    },
    call: ['tags.create', { words: new TextEncoder().encode('a') }],
    sends: ['POST /notes/tags', '{"words":"YQ=="}'],
  },
  {
    edit: 'a list with a field for one page',
    changes: {
      [`${list} x-pagination`]: 'none',
      [`${list} parameters 1 name`]: 'cursor',
    },
    call: ['notes.list', { cursor: 3 }],
    sends: ['GET /notes/notes?cursor=3'],
  },
  {
    edit: 'a payload under keys that the spec names',
    changes: {
      [`${createTag} responses 200 x-envelope`]: 'result.tag',
      [`${createTag} responses 200 content application/json schema`]: {
        type: 'object',
        properties: {
          result: {
            type: 'object',
            description: 'The result.',
            properties: { tag: { $ref: '#/components/schemas/Tag', description: 'The tag.' } },
          },
        },
      },
      [`${createTag} responses 200 content application/json examples tag value`]: {
        result: { tag: { word: 'urgent' } },
      },
    },
    call: ['tags.create', { word: 'urgent' }],
    sends: ['POST /notes/tags', '{"word":"urgent"}'],
    returns: { word: 'urgent' },
  },
  {
    edit: 'a header',
    changes: { [added]: parameter(text, { in: 'header', name: 'X-Trace', example: 'a' }) },
    call: ['notes.list', { 'X-Trace': 'abc', offset: 5 }],
    sends: ['GET /notes/notes?offset=5&limit=100'],
    headers: { 'x-trace': 'abc' },
    type: "'X-Trace'?: string | undefined;",
  },
  {
    edit: 'a required header with a number',
    changes: {
      [`${remove} parameters`]: [
        parameter({ type: 'integer' }, { in: 'header', name: 'X-Version', example: 1, required: true }),
      ],
    },
    call: ['notes.delete', { noteId: 7, 'X-Version': 3 }],
    sends: ['DELETE /notes/notes/7'],
    headers: { 'x-version': '3' },
    type: "'X-Version': number;",
  },
  {
    edit: 'a header with values of an enum',
    changes: {
      [added]: parameter({ $ref: '#/components/schemas/Color' }, { in: 'header', name: 'X-Color', example: 'red' }),
    },
    call: ['notes.list', { 'X-Color': 'red' }],
    sends: ['GET /notes/notes?limit=100'],
    headers: { 'x-color': 'red' },
    type: "'X-Color'?: Models.Color | undefined;",
  },
  {
    edit: 'a header that all operations of a path share',
    changes: {
      'paths /notes/{noteId} parameters 1': parameter(
        { type: 'boolean' },
        { in: 'header', name: 'X-Dry', example: true },
      ),
    },
    call: ['notes.delete', { noteId: 7, 'X-Dry': false }],
    sends: ['DELETE /notes/notes/7'],
    headers: { 'x-dry': 'false' },
  },
  {
    edit: 'a body that is a list',
    changes: wholeBody({ type: 'array', items: text }, 'words', ['urgent']),
    call: ['tags.create', { words: ['a', 'b'] }],
    sends: ['POST /notes/tags', '["a","b"]'],
    type: 'words?: Models.Things | undefined;',
  },
  {
    edit: 'a body that is a list of records',
    changes: wholeBody({ type: 'array', items: { $ref: '#/components/schemas/Layout' } }, 'layouts', [{ columns: 1 }]),
    call: ['tags.create', { layouts: [{ columns: 2 }] }],
    sends: ['POST /notes/tags', '[{"columns":2}]'],
  },
  {
    edit: 'a body that is a map',
    changes: wholeBody({ type: 'object', additionalProperties: { type: 'integer' } }, 'sizes', { a: 1 }),
    call: ['tags.create', { sizes: { a: 1, b: 2 } }],
    sends: ['POST /notes/tags', '{"a":1,"b":2}'],
    type: 'sizes?: Models.Things | undefined;',
  },
  {
    edit: 'a body that is a union',
    changes: wholeBody(
      {
        anyOf: [
          { type: 'string', description: 'A word.' },
          { type: 'array', description: 'Words.', items: text },
        ],
      },
      'tags',
      'urgent',
    ),
    call: ['tags.create', { tags: ['a'] }],
    sends: ['POST /notes/tags', '["a"]'],
  },
  {
    edit: 'a body that is a required list, beside a header and a query value',
    changes: {
      ...wholeBody({ type: 'array', items: text }, 'words', ['urgent']),
      [`${createTag} requestBody required`]: true,
      [`${createTag} parameters`]: [
        parameter({ type: 'boolean' }, { name: 'dry', example: true }),
        parameter(text, { in: 'header', name: 'If-Match', example: 'v1' }),
      ],
    },
    call: ['tags.create', { words: ['a'], dry: true, 'If-Match': 'v2' }],
    sends: ['POST /notes/tags?dry=true', '["a"]'],
    headers: { 'if-match': 'v2' },
    type: 'words: Models.Things;',
  },
  {
    edit: 'a query value of a POST',
    changes: { [`${createTag} parameters`]: [parameter({ type: 'boolean' }, { name: 'dry', example: true })] },
    call: ['tags.create', { word: 'urgent', dry: true }],
    sends: ['POST /notes/tags?dry=true', '{"word":"urgent"}'],
  },
  {
    edit: 'a query list of one item',
    changes: { [added]: parameter(integers) },
    call: ['notes.list', { ids: [1] }],
    sends: ['GET /notes/notes?ids=1&limit=100'],
  },
  {
    edit: 'a query value whose name has brackets',
    changes: { [added]: parameter(text, { name: 'filter[word]', example: 'a' }) },
    call: ['notes.list', { 'filter[word]': 'a' }],
    sends: ['GET /notes/notes?filter[word]=a&limit=100'],
    type: "'filter[word]'?: string | undefined;",
  },
  {
    edit: 'a query value by reference to an enum',
    changes: { [added]: parameter({ $ref: '#/components/schemas/Color' }, { name: 'color', example: 'red' }) },
    call: ['notes.list', { color: 'red' }],
    sends: ['GET /notes/notes?color=red&limit=100'],
    type: 'color?: Models.Color | undefined;',
  },
  {
    edit: 'a parameter that all operations of a path share, in a component',
    changes: {
      'components parameters Word': parameter(text, { name: 'word', example: 'a' }),
      'paths /notes/{noteId} parameters 1': { $ref: '#/components/parameters/Word' },
    },
    call: ['notes.delete', { noteId: 7, word: 'a' }],
    sends: ['DELETE /notes/notes/7?word=a'],
  },
  {
    edit: 'a body that is a shared component',
    changes: {
      'components requestBodies': {
        Tag: {
          description: 'The tag.',
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/TagCreate' },
              examples: { word: { summary: 'A word', value: { word: 'urgent' } } },
            },
          },
        },
      },
      [`${createTag} requestBody`]: { $ref: '#/components/requestBodies/Tag' },
    },
    call: ['tags.create', { word: 'urgent' }],
    sends: ['POST /notes/tags', '{"word":"urgent"}'],
  },
  {
    edit: 'a field with other characters in its name',
    changes: {
      'components schemas TagCreate properties a-b': { type: 'integer', description: 'A number.' },
      'components schemas Tag properties a-b': { type: 'integer', description: 'A number.' },
    },
    call: ['tags.create', { 'a-b': 1 }],
    sends: ['POST /notes/tags', '{"a-b":1}'],
    type: "'a-b'?: number | undefined;",
  },
  {
    edit: 'a field named like an option',
    changes: {
      'components schemas TagCreate properties timeout': { type: 'integer', description: 'Seconds.' },
      'components schemas Tag properties timeout': { type: 'integer', description: 'Seconds.' },
    },
    call: ['tags.create', { timeout: 5 }],
    sends: ['POST /notes/tags', '{"timeout":5}'],
  },
  {
    edit: 'a field of true or false, and one of two types',
    changes: {
      'components schemas TagCreate properties size': { type: ['integer', 'string'], description: 'Size.' },
      'components schemas Tag properties size': { type: ['integer', 'string'], description: 'Size.' },
    },
    call: ['tags.create', { size: 'large', trial: true }],
    sends: ['POST /notes/tags', '{"size":"large","trial":true}'],
    type: 'size?: number | string | undefined;',
  },
  {
    edit: 'a reply that is a number',
    changes: {
      [`${search} responses 200`]: {
        description: 'How many.',
        content: {
          'application/json': {
            schema: { type: 'integer', description: 'Number.' },
            examples: { one: { summary: 'One', value: 3 } },
          },
        },
      },
      [`${search} x-pagination`]: undefined,
      'components schemas NoteFilter x-open': 'The filter is not documented.',
    },
    call: ['notes.search', {}],
    sends: ['POST /notes/notes/search', undefined],
    returns: 3,
  },
];
