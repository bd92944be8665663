import { type Cases, create, list, remove, search } from '../mutation.ts';

/** Changes that each break exactly one rule of spec/rules/operations.yaml. */
export const operationCases: Cases = {
  'operation-id-form': {
    'a single word': { [`${list} operationId`]: 'list' },
    'snake case': { [`${list} operationId`]: 'list_notes' },
  },
  'operation-id-verb': {
    'a GET that creates': { [`${list} operationId`]: 'createNotes' },
    'a POST that creates and only reads': {
      [`${create} x-effect`]: 'read',
      [`${create} x-undo`]: undefined,
      [`${create} x-shown-by`]: undefined,
    },
    'a POST that lists and writes': {
      [`${search} x-effect`]: 'write',
      [`${search} x-undo`]: 'none',
    },
    'a DELETE that updates': { [`${remove} operationId`]: 'updateNote', [`${create} x-undo`]: 'updateNote' },
  },
  'operation-summary-form': {
    'a full stop': { [`${list} summary`]: 'List notes.' },
    'title case': { [`${list} summary`]: 'List Notes' },
    'a small letter': { [`${list} summary`]: 'list notes' },
  },
  'operation-default-response': { 'no default': { [`${list} responses default`]: undefined } },
  'response-content': {
    'a 204 with a body': {
      [`${remove} responses 204 content`]: {
        'application/json': { schema: { type: 'string' }, examples: { done: { summary: 'Done', value: 'ok' } } },
      },
    },
    'no body and no reason': { [`${create} responses 200 x-open`]: undefined },
  },
  'content-schema': {
    'no schema': { 'components responses Error content application/json schema': undefined },
    'an empty schema': { 'components responses Error content application/json schema': { description: 'Anything.' } },
    'no media type': {
      [`${search} requestBody content`]: {},
      [`${search} x-pagination`]: undefined,
      'components schemas NoteFilter': undefined,
    },
  },
  'body-component': {
    'an inline schema': {
      [`${search} requestBody content application/json schema`]: {
        type: 'object',
        additionalProperties: true,
        'x-open': 'The filter is not documented.',
      },
      'components schemas NoteFilter': undefined,
    },
  },
  'body-required': {
    'a required field': { [`${create} requestBody required`]: undefined },
    'every branch of a component': {
      'components schemas NoteFilter': {
        description: 'What to look for.',
        'x-source': '1 §2',
        anyOf: [{ $ref: '#/components/schemas/Note' }, { $ref: '#/components/schemas/Note' }],
      },
      [`${search} requestBody content application/json examples everything value`]: { text: 'Hello' },
      [`${search} x-pagination`]: undefined,
    },
  },
  'parameter-example': {
    'of an operation': { [`${list} parameters 1 example`]: undefined },
    'of a path': { 'paths /notes/{noteId} parameters 0 example': undefined },
    'in components': { 'components parameters Limit example': undefined },
  },
  'request-examples': {
    'no examples': { [`${create} requestBody content application/json examples`]: undefined },
    'no example': { [`${create} requestBody content application/json examples`]: undefined },
    'an empty map': { [`${create} requestBody content application/json examples`]: {} },
  },
  'response-examples': {
    'of an operation': { 'paths /token post responses 200 content application/json examples': undefined },
    'in components': { 'components responses NoteList content application/json examples': undefined },
  },
  'example-name': {
    'a blank': {
      [`${create} requestBody content application/json examples`]: {
        'A text': { summary: 'A text', value: { note: { text: 'Hi' } } },
      },
    },
  },
  'example-summary': {
    'no summary': { [`${create} requestBody content application/json examples textOnly summary`]: undefined },
  },
};
