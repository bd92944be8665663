import { type Changes, createTag, list, remove } from '../mutation.ts';

/** An edit of the valid spec that lint accepts, with a call of the method and the request that the spec describes. */
export interface SentEdit {
  edit: string;
  changes: Changes;
  /** Place of the method, and its parameters. */
  call: [method: string, params?: Record<string, unknown>];
  /** Method and address after the host, and the body as JSON. */
  sends: [request: string, body?: string];
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
];
