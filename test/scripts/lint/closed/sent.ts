import { type Changes, createTag, list, remove, search } from '../mutation.ts';

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
const text = { type: 'string' };
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
