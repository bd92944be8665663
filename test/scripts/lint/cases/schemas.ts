import { type Cases, note } from '../mutation.ts';

/** Changes that each break exactly one rule of spec/rules/schemas.yaml. */
export const schemaCases: Cases = {
  'bare-object': {
    'no properties': { [`${note} extra`]: { type: 'object', description: 'Extra.' } },
    'empty properties': { [`${note} extra`]: { type: ['object', 'null'], description: 'Extra.', properties: {} } },
    'closed and empty': { [`${note} extra`]: { type: 'object', description: 'Extra.', additionalProperties: false } },
  },
  'open-shape': {
    'open properties': { 'components schemas NoteFilter x-open': undefined },
    'a property without a type': { [`${note} payload x-open`]: undefined },
    'items without a type': {
      [`${note} links`]: { type: 'array', description: 'Links.', items: { description: 'A link.' } },
    },
    'any items': { [`${note} links`]: { type: 'array', description: 'Links.', items: true } },
    'values of a map without a type': {
      [`${note} links`]: { type: 'object', description: 'Links.', additionalProperties: {} },
    },
    'inside a branch': { 'components schemas OpenBody x-open': undefined },
    'marked on another component only': {
      'components schemas Extra': { description: 'Extra.', 'x-source': '1 §2' },
      [`${note} payload`]: { $ref: '#/components/schemas/Extra', 'x-open': 'Not documented.' },
    },
  },
  'property-description': {
    'its own': { [`${note} text description`]: undefined },
    'of a component': { 'components schemas Layout properties columns description': undefined },
    'of the component it refers to': { 'components schemas Color description': undefined },
  },
  'nullable-form': {
    'a branch for null': {
      [`${note} text`]: { description: 'The text.', anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
    'an enum without null': { 'components schemas Color type': ['string', 'null'] },
  },
  'branch-type': {
    'a branch of conditions': {
      'components schemas Note anyOf': [
        { required: ['text'] },
        { type: 'object', additionalProperties: { type: 'string' } },
      ],
    },
    'a branch of values': {
      [`${note} text`]: { description: 'The text.', anyOf: [{ const: 'Hello' }, { type: 'integer' }] },
    },
  },
  'condition-form': {
    'inside a branch': {
      'components schemas Token allOf': [
        { type: 'object', additionalProperties: { type: ['string', 'null'] }, dependentRequired: { text: ['token'] } },
      ],
    },
    'two on one schema': { 'components schemas Note dependentRequired': { color: ['text'] } },
    'if without then': { 'components schemas Note then': undefined },
    'on something else': { [`${note} text not`]: { const: '' } },
    'on a schema without a name': {
      [`${note} place`]: {
        type: 'object',
        description: 'A place.',
        properties: { city: { type: 'string', description: 'The city.' } },
        not: { description: 'It has no city.', required: ['city'], properties: { city: {} } },
      },
    },
    'a part without a description': { 'components schemas Note then description': undefined },
    'a part with a keyword that would be dropped': { 'components schemas Note then additionalProperties': true },
    'a part that requires a field of which it has no schema': { 'components schemas Note then required': ['other'] },
    'a field that is false in a part': { 'components schemas Note then properties remindAt': false },
    'a field that is false': { [`${note} payload`]: false },
  },
  'enum-descriptions': {
    'no descriptions': { 'components schemas Color x-enumDescriptions': undefined },
    'a value without one': { 'components schemas Color x-enumDescriptions red': undefined },
    'an empty one': { 'components schemas Color x-enumDescriptions red': ' ' },
    'one without a value': { 'components schemas Color x-enumDescriptions green': 'Green.' },
    'without an enum': { [`${note} text x-enumDescriptions`]: { a: 'A.' } },
  },
  'inferred-limits': {
    'a keyword that the schema does not have': {
      [`${note} text x-inferred`]: 'A text is assumed.',
      [`${note} text x-inferred-limits`]: ['type', 'pattern'],
    },
    'no reason': { [`${note} text x-inferred-limits`]: ['type'] },
    'no list': { [`${note} text x-inferred`]: 'A text is assumed.', [`${note} text x-inferred-limits`]: 'type' },
  },
  'enum-varnames': {
    'no names': { 'components schemas Color x-enum-varnames': undefined },
    'too few': { 'components schemas Color x-enum-varnames': ['Black'] },
    'not PascalCase': { 'components schemas Color x-enum-varnames': ['Black', 'red'] },
    'a name twice': { 'components schemas Color x-enum-varnames': ['Black', 'Black'] },
    'without an enum': { [`${note} text x-enum-varnames`]: ['A'] },
  },
  'string-encoding': { 'another encoding': { [`${note} picture contentEncoding`]: 'base32' } },
  'string-json': {
    'no contentSchema': {
      'components schemas Layout': undefined,
      [`${note} layout contentSchema`]: undefined,
    },
    'a schema that is not a component': {
      'components schemas Layout': undefined,
      [`${note} layout contentSchema`]: { type: 'array', items: { type: 'integer' } },
    },
  },
};
