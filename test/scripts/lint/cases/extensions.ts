import { type Cases, create, list, note } from '../mutation.ts';

/** Changes that each break exactly one rule of spec/rules/extensions.yaml. */
export const extensionCases: Cases = {
  'extension-known': {
    misspelt: { [`${note} text x-opne`]: 'Not documented.' },
    'a source on a property': { [`${note} text x-source`]: '1 §2' },
    'a place in the client on a path': { 'paths /token x-sdk': 'tokens.create' },
    'a group of an operation': { [`${list} x-tagGroups`]: [] },
    'among responses': { [`${list} responses x-default`]: 'x' },
  },
  'source-present': {
    'an operation': { [`${list} x-source`]: undefined },
    'a component': { 'components schemas Note x-source': undefined },
  },
  'document-form': {
    'no document': { 'info x-document': undefined },
    'no number of sections': { 'info x-document sections': undefined },
    'sections that are not counted': { 'info x-document sections': '9' },
  },
  'source-sections': {
    'words on an operation': { [`${list} x-source`]: 'section 4' },
    'no comma between sections': { 'components schemas Note x-source': '1 §2 §3' },
    'a number': { 'components schemas Note x-source': 1 },
    'a section that does not exist': { [`${list} x-source`]: '1 §2, §44' },
    'a rule from another document': { [`${create} x-rules 0 source`]: '2 §2' },
  },
  'mark-form': {
    'no text': { [`${note} payload x-open`]: true },
    'an empty text': { 'components schemas Token x-inferred': '' },
    'an empty list': { [`${note} remindAt x-open`]: [] },
    'not a sentence': { 'components schemas Token x-conflict': 'string and text' },
    'a gap without a text': { [`${note} payload x-open`]: { gap: 'sizes' } },
    'a point with an unknown key': { [`${note} payload x-open`]: { gap: 'sizes', text: 'Open.', id: 'a' } },
    'a point of a list that is not a sentence': { [`${note} remindAt x-open 1`]: { gap: 'sizes', text: 'open' } },
    'a list with something else': { [`${note} remindAt x-open 1`]: 7 },
  },
  'rate-limit-form': {
    'no window': { [`${create} x-rate-limit seconds`]: undefined },
    'a fraction': { [`${create} x-rate-limit requests`]: 0.5 },
    'an unknown key': { [`${create} x-rate-limit burst`]: 1 },
  },
  'quota-rule': {
    'a quota without a rule': { [`${create} x-rules 2`]: undefined },
    'a rule without a quota': { [`${create} x-rate-limit`]: undefined },
  },
  'record-form': {
    'an empty list': { 'components schemas NoteCreate x-record': [] },
    'no name': { 'components schemas NoteCreate x-record': true },
  },
  'record-known': {
    'no component': { 'components schemas TagCreate x-record': ['Tag', 'Word'] },
    'a record that is not open': { 'components schemas TagCreate x-record': ['Tag', 'Note'] },
  },
  'record-fields': {
    'a field that the record lacks': {
      'components schemas TagCreate properties priority': { type: 'integer', description: 'Its priority.' },
    },
    'a record that lacks a field of its body': { 'components schemas Tag properties word': undefined },
  },
  'record-written': {
    'a body that says nothing': { 'components schemas TagCreate x-record': undefined },
  },
  'variants-form': {
    'one variant only': { 'components schemas Note x-variants variants Plain': undefined },
    'no name of the union': { 'components schemas Note x-variants name': undefined },
    'a variant that is not described': { 'components schemas Note x-variants variants Plain description': undefined },
    'a name in camelCase': { 'components schemas Note x-variants name': 'form' },
  },
  'variant-fields': {
    'a required field that does not exist': { 'components schemas Note x-variants variants Plain required': ['body'] },
    'a narrowed field that does not exist': {
      'components schemas Note x-variants variants Plain properties': { picure: false },
    },
    'a field that is required and excluded': {
      'components schemas Note x-variants variants Plain required': ['picture'],
    },
    'a value of an enum that no variant takes': {
      'components schemas Note x-variants variants Plain properties color': { const: 'red' },
      'components schemas Note x-variants variants Illustrated properties': { color: false },
    },
  },
  'at-least-one-form': {
    'another value': { 'components schemas Note x-at-least-one': false },
    'beside required fields': { 'components schemas Note x-at-least-one': true },
  },
  'decoded-form': {
    'no text': { 'components schemas Note properties layout x-decoded': ' ' },
    'on a field that is not encoded': { 'components schemas Note properties remindAt x-decoded': 'When to remind.' },
  },
  'rules-form': {
    'an id in camelCase': { [`${create} x-rules 0 id`]: 'noteColor' },
    'no source': { 'info x-rules 0 source': undefined },
    'no sentence': { [`${create} x-rules 0 text`]: 'black by default' },
    'not a list': { 'info x-rules': {} },
    'no values': { 'info x-rules 0 values': {} },
    'a value in kebab-case': { 'info x-rules 0 values': { 'kilo-bytes': 64 } },
  },
  'rule-values-told': {
    'another number': { 'info x-rules 0 values kilobytes': 6 },
  },
  'errors-form': {
    'a word for a code': {
      [`${create} x-errors`]: { E12: { meaning: 'The text is empty.', rule: 'note-text', advice: 'Write a text.' } },
      [`${create} x-rules 1 text`]: 'It has a text, or code E12.',
      'components responses Refusal content application/json examples empty value message': 'E12',
      'components schemas Refusal properties message examples': ['E12'],
    },
    'no codes': { [`${create} x-errors`]: {}, [`${create} x-rules 1 text`]: 'It has a text.' },
  },
  'error-form': {
    'a code without a meaning': { [`${create} x-errors 12 meaning`]: '' },
    'a code without a rule': {
      [`${create} x-errors 12 rule`]: undefined,
      [`${create} x-rules 1 text`]: 'It has a text.',
    },
    'a code without advice': { [`${create} x-errors 12 advice`]: undefined },
    'advice that is no sentence': { [`${create} x-errors 12 advice`]: 'write a text' },
    'a meaning alone': {
      [`${create} x-errors 12`]: 'The text is empty.',
      [`${create} x-rules 1 text`]: 'It has a text.',
    },
  },
  'error-rule-known': {
    'a rule that is nowhere': {
      [`${create} x-errors 12 rule`]: 'note-title',
      [`${create} x-rules 1 text`]: 'It has a text.',
    },
    'a rule of another operation': {
      [`${create} x-rules 1`]: undefined,
      [`${list} x-rules`]: [{ id: 'note-text', source: '1 §2', text: 'It has a text, or code 12.' }],
    },
  },
  'title-fields': {
    'a field that the record does not have': { 'components schemas Note x-title': ['subject'] },
    'no list': { 'components schemas Note x-title': 'text' },
    'no fields': { 'components schemas Note x-title': [] },
    'a column that the record does not have': { 'components schemas Note x-columns': ['subject'] },
    'no list of columns': { 'components schemas Note x-columns': 'text' },
  },
  'final-form': {
    'a value that the enum does not have': {
      'components schemas NoteKind': {
        type: 'integer',
        description: 'Kind.',
        'x-source': '1 §2',
        enum: [1, 2],
        'x-enumDescriptions': { 1: 'One.', 2: 'Two.' },
        'x-enum-varnames': ['One', 'Two'],
        'x-inferred': 'It ends there.',
        'x-final': [3],
      },
    },
    'no reason': {
      'components schemas NoteKind': {
        type: 'integer',
        description: 'Kind.',
        'x-source': '1 §2',
        enum: [1, 2],
        'x-enumDescriptions': { 1: 'One.', 2: 'Two.' },
        'x-enum-varnames': ['One', 'Two'],
        'x-final': [2],
      },
    },
    'no enum': { 'components schemas Note x-final': ['text'] },
  },
  'error-codes-shown': {
    'a code without an example': { 'components responses Refusal content application/json examples': undefined },
    'an example of another code': {
      'components responses Refusal content application/json examples more': {
        summary: 'Another code',
        value: { message: '13' },
      },
    },
    'a code that the field does not list': { 'components schemas Refusal properties message examples': undefined },
    'a listed code that does not exist': { 'components schemas Refusal properties message examples': ['12', '13'] },
  },
  'error-codes-told': {
    'a description with another code': { [`${note} text description`]: 'The text, or code 13.' },
    'advice with another code': { [`${create} x-errors 12 advice`]: 'See code 13.' },
    'a rule with the code of another': { [`${create} x-rules 0 text`]: 'A note is black, or code 12 answers.' },
    'a rule that does not name its code': { [`${create} x-rules 1 text`]: 'A note has a text.' },
  },
};
