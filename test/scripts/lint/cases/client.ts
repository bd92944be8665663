import { type Cases, create, createTag, list, remove, search } from '../mutation.ts';

const group = `${createTag} x-people 0`;

/** Changes that each break exactly one rule of spec/rules/client.yaml. */
export const clientCases: Cases = {
  'sdk-present': { missing: { [`${list} x-sdk`]: undefined } },
  'sdk-form': {
    'one word': { [`${list} x-sdk`]: 'list' },
    'a hyphen': { [`${list} x-sdk`]: 'notes.list-all' },
    'an unknown key': { [`${create} x-sdk`]: { method: 'notes.create', unwrap: 'note', unwrapBody: 'note' } },
    'a malformed method': { [`${create} x-sdk method`]: 'Notes.create' },
  },
  'sdk-unique': {
    taken: { [`${list} x-sdk`]: 'notes.create' },
    'a method that is a namespace': { [`${list} x-sdk`]: 'notes.create.all' },
  },
  'sdk-unwrap': {
    'not a key of the body': { [`${create} x-sdk unwrapBody`]: 'text', [`${create} x-people`]: undefined },
    'not the only one': {
      'components schemas NoteCreate properties copy': {
        type: 'boolean',
        description: 'Copy.',
      },
    },
  },
  'effect-present': { 'no effect': { [`${remove} x-effect`]: undefined } },
  'effect-form': { 'the HTTP method': { [`${remove} x-effect`]: 'DELETE' } },
  'effect-reads': {
    'a GET that writes': { [`${list} x-effect`]: 'write', [`${list} x-undo`]: 'none' },
    'a DELETE that reads': {
      [`${remove} x-effect`]: 'read',
      [`${remove} x-undo`]: undefined,
      [`${create} x-undo`]: 'none',
    },
  },
  undo: {
    'no x-undo': { [`${remove} x-undo`]: undefined },
    'an operation that does not exist': { [`${create} x-undo`]: 'deleteNotes' },
    'an operation that reads': { [`${create} x-undo`]: 'listNotes' },
    'on a GET': { [`${list} x-undo`]: 'none' },
    'opt-outs without people': { [`${remove} x-opt-outs`]: { operation: 'listNotes', field: 'id' } },
    'opt-outs of an operation that changes data': {
      [`${create} x-opt-outs`]: { operation: 'deleteNote', field: 'id' },
    },
    'a condition on an unknown field': { [`${createTag} x-sends-if`]: { state: 1 } },
    'a condition on an operation that does not send': { [`${create} x-sends-if`]: { text: 'a' } },
    'no condition': { [`${createTag} x-sends-if`]: {} },
  },
  'people-form': {
    'one word': { [`${create} x-people`]: 'text' },
    'an empty list': { [`${create} x-people`]: [] },
    'a number': { [`${create} x-people`]: [1] },
    'a group without its people': { [`${group} who`]: undefined },
    'a group that says nothing about the count': { [`${group} count`]: undefined },
    'an unknown key of a group': { [`${group} people`]: 'readers' },
    'another word for no count': { [`${group} count`]: 'unknown' },
    'an unknown key of a count': { [`${group} count field`]: 'total' },
    'a count without its result': { [`${group} count result`]: undefined },
    'a count without its parameter': { [`${group} count parameter`]: undefined },
  },
  people: {
    'a misspelt field': { [`${create} x-people`]: ['texts'] },
    'a field of another type': { [`${createTag} x-people`]: ['board'] },
    'a misspelt field of a group': { [`${group} field`]: 'boards' },
    'an unknown operation': { [`${group} count operation`]: 'countReader' },
    'an operation that changes data': { [`${group} count operation`]: 'deleteNote' },
    'a misspelt parameter': { [`${group} count parameter`]: 'board' },
    'a parameter of another type': { [`${group} field`]: 'word' },
    'another parameter that is required': {
      'paths /boards/{boardId}/readers get parameters': [
        { name: 'kind', in: 'query', required: true, description: 'Kind.', example: 1, schema: { type: 'integer' } },
      ],
    },
    'a misspelt result': { [`${group} count result`]: 'totals' },
    'a result that is no number': {
      'paths /boards/{boardId}/readers get responses 200 content application/json schema properties total type':
        'string',
      'paths /boards/{boardId}/readers get responses 200 content application/json examples total value total': 'three',
    },
  },
  'shown-by': {
    'an unknown operation': { [`${create} x-shown-by`]: 'listNote' },
    'an operation that changes data': { [`${create} x-shown-by`]: 'deleteNote' },
    'on an operation that only reads': { [`${search} x-shown-by`]: 'listNotes' },
    'not a name': { [`${create} x-shown-by`]: 7 },
  },
  'test-mode': {
    'a misspelt field': { [`${createTag} x-test-mode`]: 'trail' },
    'a field of another type': { [`${createTag} x-test-mode`]: 'word' },
    'not a name': { [`${createTag} x-test-mode`]: true },
    'an operation that does not send': { [`${create} x-test-mode`]: 'text' },
  },
  'pagination-form': {
    'no offset': { [`${list} x-pagination offset`]: undefined },
    'an unknown place': { [`${list} x-pagination in`]: 'header' },
    'an unknown key': { [`${list} x-pagination page`]: 1 },
  },
  'pagination-fields': {
    'a list that pages without it': { [`${list} x-pagination`]: undefined },
    'a parameter that is not there': { [`${list} x-pagination offset`]: 'start' },
    'a maximum that differs': { [`${list} x-pagination maximum`]: 50 },
    'an open body without a reason': { [`${search} x-pagination x-inferred`]: undefined },
  },
};
