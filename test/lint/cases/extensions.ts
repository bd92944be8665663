import { type Cases, create, list, note } from '../mutation.ts';

/** What breaks each rule of spec/rules/extensions.yaml, and no other. */
export const extensionCases: Cases = {
  'extension-known': {
    misspelt: { [`${note} text x-opne`]: 'Not shown.' },
    'a source on a property': { [`${note} text x-source`]: '1 §2' },
    'a place in the client on a path': { 'paths /token x-sdk': 'tokens.create' },
    'a group of an operation': { [`${list} x-tagGroups`]: [] },
    'among responses': { [`${list} responses x-default`]: 'x' },
  },
  'source-present': {
    'an operation': { [`${list} x-source`]: undefined },
    'a component': { 'components schemas Note x-source': undefined },
  },
  'source-form': {
    'an operation': { [`${list} x-source`]: 'section 4' },
    'a component': { 'components schemas Note x-source': '1 §2 §3' },
    'a number': { 'components schemas Note x-source': 1 },
    'a rule': { [`${create} x-rules 0 source`]: '4 §2' },
  },
  'mark-form': {
    'no text': { [`${note} payload x-open`]: true },
    'an empty text': { 'components schemas Token x-inferred': '' },
    'an empty list': { [`${note} remindAt x-open`]: [] },
    'not a sentence': { 'components schemas Token x-conflict': 'string and text' },
    'a list with something else': { [`${note} remindAt x-open 1`]: 7 },
  },
  'rate-limit-form': {
    'no window': { [`${create} x-rate-limit seconds`]: undefined },
    'a fraction': { [`${create} x-rate-limit requests`]: 0.5 },
    'an unknown key': { [`${create} x-rate-limit burst`]: 1 },
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
    'a code without a meaning': { [`${create} x-errors 12`]: '' },
    'no codes': { [`${create} x-errors`]: {} },
  },
};
