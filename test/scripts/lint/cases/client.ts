import { type Cases, create, createTag, list, remove, search } from '../mutation.ts';

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
    'a person who is not in the body': { [`${create} x-people`]: ['texts'] },
    'a condition on an unknown field': { [`${createTag} x-sends-if`]: { state: 1 } },
    'a condition on an operation that does not send': { [`${create} x-sends-if`]: { text: 'a' } },
    'no condition': { [`${createTag} x-sends-if`]: {} },
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
