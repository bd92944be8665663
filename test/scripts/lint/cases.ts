import { type Changes, create, createTag, list, note, remove, search } from './mutation.ts';

const person = `${createTag} x-people 0`;
const readers = 'paths /boards/{boardId}/readers get';
const response = `${readers} responses 200 content application/json`;
const schemas = 'components schemas';
const rows = `${schemas} Layout properties rows`;
const pair = { type: 'object', description: 'Two.', properties: { from: { type: 'string', description: 'First.' } } };

/** Rule of spec/rules/facts.yaml → its faults: a description, and the changes that cause it and no other fault. */
export const cases: Record<string, Record<string, Changes>> = {
  effect: {
    'a GET that writes': { [`${list} x-effect`]: 'write', [`${list} x-undo`]: 'none' },
    'a DELETE that reads': {
      [`${remove} x-effect`]: 'read',
      [`${remove} x-undo`]: undefined,
      [`${create} x-undo`]: 'none',
    },
    'no x-undo': { [`${remove} x-undo`]: undefined },
    'an operation that does not exist': { [`${create} x-undo`]: 'deleteNotes' },
    'an operation that reads': { [`${create} x-undo`]: 'listNotes' },
    'x-undo on a GET': { [`${list} x-undo`]: 'none' },
    'opt-outs without people': {
      [`${createTag} x-people`]: undefined,
      [`${createTag} x-effect optOuts`]: { operation: 'listNotes', field: 'id' },
    },
    'opt-outs of an operation that changes data': {
      [`${createTag} x-effect optOuts`]: { operation: 'deleteNote', field: 'id' },
    },
    'a condition on an unknown field': { [`${createTag} x-effect sendsIf`]: { state: 1 } },
    'facts about sending on an operation that does not send': { [`${createTag} x-effect kind`]: 'write' },
    'a misspelt field of a test mode': { [`${createTag} x-effect testMode`]: 'trail' },
    'a test mode of another type': { [`${createTag} x-effect testMode`]: 'word' },
    'a misspelt field of people': { [`${create} x-people`]: ['texts'] },
    'people of another type': { [`${createTag} x-people`]: ['board'] },
    'a misspelt field of a group': { [`${person} field`]: 'boards' },
    'an unknown operation that counts': { [`${person} count operation`]: 'countReader' },
    'a misspelt parameter': { [`${person} count parameter`]: 'board' },
    'a parameter of another type': { [`${person} field`]: 'word' },
    'another parameter that is required': {
      [`${readers} parameters`]: [
        { name: 'kind', in: 'query', required: true, description: 'Kind.', example: 1, schema: { type: 'integer' } },
      ],
    },
    'a misspelt result': { [`${person} count result`]: 'totals' },
    'a result that is not a number': {
      [`${response} schema properties total type`]: 'string',
      [`${response} examples total value total`]: 'three',
    },
  },
  paging: {
    'a list that pages without it': { [`${list} x-pagination`]: undefined },
    'a parameter that is not there': { [`${list} x-pagination offset`]: 'start' },
    'a maximum that differs': { [`${list} x-pagination maximum`]: 50 },
    'an open body without a reason': { [`${search} x-pagination x-inferred`]: undefined },
    'a cursor': {
      [`${readers} parameters`]: [
        { name: 'next_cursor', in: 'query', description: 'Next page.', example: 'a', schema: { type: 'string' } },
      ],
    },
    'another name of the offset': { [`${list} parameters 1 name`]: 'start', [`${list} x-pagination offset`]: 'start' },
  },
  'open-shape': {
    'open properties': { [`${schemas} NoteFilter x-open`]: undefined },
    'a property without a type': { [`${note} payload x-open`]: undefined },
    'any items': { [`${note} links`]: { type: 'array', description: 'Links.', items: true } },
    'values of a map without a type': {
      [`${note} links`]: { type: 'object', description: 'Links.', additionalProperties: {} },
    },
    'inside a branch': { [`${schemas} OpenBody x-open`]: undefined },
    'marked on another component only': {
      [`${schemas} Extra`]: { description: 'Extra.', 'x-source': '1 §2' },
      [`${note} payload`]: { $ref: `#/components/schemas/Extra`, description: 'Extra.' },
    },
    'an object without fields': {
      [`${note} extra`]: { type: ['object', 'null'], description: 'Extra.', properties: {} },
    },
    'no body and no reason': { [`${create} responses 200 x-open`]: undefined },
    'content without a shape': {
      'components responses Error content application/json schema': { description: 'Any.' },
    },
  },
  'property-description': {
    'its own': { [`${note} text description`]: undefined },
    'of a component': { [`${schemas} Layout properties columns description`]: undefined },
    'of the component it refers to': { [`${schemas} Color description`]: undefined },
  },
  records: {
    'a record that does not exist': { [`${schemas} TagCreate x-record`]: ['Tag', 'Label'] },
    'a record that is closed': { [`${schemas} NoteCreate x-record`]: 'Layout' },
    'a field that the record lacks': { [`${schemas} Tag properties word`]: undefined },
    'a body that says nothing': { [`${schemas} TagCreate x-record`]: undefined },
  },
  'rules-and-codes': {
    'a quota without a rule': { [`${create} x-rules 2`]: undefined },
    'a rule without a quota': { [`${create} x-rate-limit`]: undefined },
    'a value that the text lacks': { 'info x-rules 0 values kilobytes': 6 },
    'a code of a rule that is nowhere': {
      [`${create} x-errors 12 rule`]: 'note-title',
      [`${create} x-rules 1 text`]: 'It has a text.',
    },
    'a code without an example': { 'components responses Rejection content application/json examples': undefined },
    'an example of another code': {
      'components responses Rejection content application/json examples more': {
        summary: 'Another code',
        value: { message: '13' },
      },
    },
    'a code that the field does not list': { [`${schemas} Rejection properties message examples`]: undefined },
    'a listed code that does not exist': { [`${schemas} Rejection properties message examples`]: ['12', '13'] },
    'a description with another code': { [`${note} text description`]: 'The text, or code 13.' },
    'advice with another code': { [`${create} x-errors 12 advice`]: 'See code 13.' },
    'a rule with the code of another': { [`${create} x-rules 0 text`]: 'A note is black, or code 12 answers.' },
    'a rule that does not name its code': { [`${create} x-rules 1 text`]: 'A note has a text.' },
  },
  'schema-extensions': {
    'a title of a field that is not there': { [`${schemas} Note x-title`]: ['subject'] },
    'at least one beside required fields': {
      [`${schemas} Note x-at-least-one`]: true,
      [`${schemas} Note x-inferred`]: 'Why.',
    },
    'at least one without a reason': { [`${schemas} TagCreate x-at-least-one`]: true },
    'a limit that is not there': {
      [`${note} text x-inferred`]: 'A text is assumed.',
      [`${note} text x-inferred-limits`]: ['type', 'pattern'],
    },
    'a limit without a reason': { [`${note} text x-inferred-limits`]: ['type'] },
    'a decoded field that is not encoded': { [`${note} remindAt x-decoded`]: 'When to remind.' },
    'an enum without meanings': { [`${schemas} Color x-enumDescriptions`]: undefined },
    'a value without a meaning': { [`${schemas} Color x-enumDescriptions red`]: undefined },
    'a meaning without a value': { [`${schemas} Color x-enumDescriptions green`]: 'Green.' },
    'an enum without names': { [`${schemas} Color x-enum-varnames`]: undefined },
    'a name twice': { [`${schemas} Color x-enum-varnames`]: ['Black', 'Black'] },
    'a variant with an unknown field': { [`${schemas} Note x-variants variants Plain required`]: ['body'] },
    'a value that no variant takes': {
      [`${schemas} Note x-variants variants Plain properties color`]: { const: 'red' },
      [`${schemas} Note x-variants variants Illustrated properties`]: { color: false },
    },
  },
  'schema-form': {
    'an object or a text': { [`${note} extra`]: { ...pair, type: ['object', 'string'] } },
    'a limit of another type': { [`${note} text maximum`]: 9 },
    'a branch without a type': {
      [`${note} text`]: { description: 'The text.', anyOf: [{ const: 'Hello' }, { type: 'string' }] },
    },
    'a request in parts': {
      [`${schemas} TagCreate allOf`]: [{ $ref: '#/components/schemas/Layout' }],
    },
    'a field that is false': { [`${note} payload`]: false },
    'JSON without its schema': { [`${schemas} Layout`]: undefined, [`${note} layout contentSchema`]: undefined },
    'a schema of a text that is no JSON': { [`${note} layout contentMediaType`]: 'text/html' },
    'two conditions': { [`${schemas} Note dependentRequired`]: { color: ['text'] } },
    'if without then': { [`${schemas} Note then`]: undefined },
    'a condition on a text': { [`${note} text not`]: { const: '' } },
    'a part without a description': { [`${schemas} Note then description`]: undefined },
    'a part with a keyword that would be dropped': { [`${schemas} Note then additionalProperties`]: true },
    'a part with a field that the object lacks': {
      [`${schemas} Note if properties colour`]: { const: 'red' },
    },
    'an enum without null': { [`${schemas} Color type`]: ['string', 'null'] },
    'a part that requires a field of which it has no schema': { [`${schemas} Note then required`]: ['other'] },
  },
  'tag-groups': {
    'a tag in no group': { 'x-tagGroups 0 tags': ['Notes'] },
    'a tag in two groups': { 'x-tagGroups 1': { name: 'Others', tags: ['Notes'] } },
    'a group with an unknown tag': { 'x-tagGroups 0 tags 2': 'Boards' },
  },
  'text-limits': {
    'another maximum': { [rows]: { type: 'string', maxLength: 50, description: 'Up to 500 characters.' } },
    'another default': { [rows]: { type: 'integer', default: 10, description: 'The default is 100.' } },
    'another constant': { [rows]: { type: 'integer', const: 3, description: 'Always 4.' } },
  },
  'text-names': {
    'a field that is not there': { [`${list} description`]: 'Lists notes by `colour`.' },
    'another method of a path': { [`${list} description`]: 'See `PUT /tags`.' },
  },
  'server-base': {
    'a slash at the end': { 'paths /token post servers 0 url': '{base_url}/' },
    'another host': { 'servers 0 url': '{base_url}/notes?format=json' },
    'a variable without a description': { 'servers 0 variables base_url description': undefined },
    'a second variable': {
      'servers 0 url': '{base_url}/{region}',
      'servers 0 variables region': { default: 'eu', description: 'Region.' },
    },
  },
  'server-one': {
    'a second server': {
      'servers 1': {
        url: '{base_url}/other',
        description: 'Another one.',
        variables: { base_url: { default: 'https://api.example.com', description: 'Address.' } },
      },
    },
  },
  'security-root': { 'not set': { security: [] } },
  'security-none': { 'a scheme on an operation': { [`${list} security`]: [{ bearerAuth: [] }] } },
  'path-form': {
    'a parameter in a part of a segment': { 'paths /notes.{format}': {} },
  },
  'parameter-type': {
    'a path parameter of two types': { 'paths /notes/{noteId} parameters 0 schema type': ['string', 'integer'] },
    'a query parameter that may be null': { [`${list} parameters 1 schema type`]: ['integer', 'null'] },
    'an object in a query': { [`${list} parameters 1 schema`]: pair, [`${list} parameters 1 example`]: { from: 'a' } },
    'a list of lists in a query': {
      [`${list} parameters 1 schema`]: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
      [`${list} parameters 1 example`]: [[1]],
    },
  },
  'parameter-example': {
    'of an operation': { [`${list} parameters 1 example`]: undefined },
    'of a path': { 'paths /notes/{noteId} parameters 0 example': undefined },
    'in components': { 'components parameters Limit example': undefined },
  },
  'body-method': {
    'a GET with a body': {
      [`${readers} requestBody`]: {
        description: 'A note.',
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/NoteFilter' },
            examples: { all: { summary: 'All', value: {} } },
          },
        },
      },
    },
  },
  'body-required': { 'a required field': { [`${create} requestBody required`]: undefined } },
  'responses-form': {
    'no default': { [`${list} responses default`]: undefined },
    'a 204 with content': {
      [`${remove} responses 204 content`]: {
        'application/json': { schema: { type: 'string' }, examples: { done: { summary: 'Done', value: 'ok' } } },
      },
    },
    'a range': { [`${list} responses 4XX`]: { description: 'A failure.' } },
  },
  'examples-present': {
    'no examples': { [`${create} requestBody content application/json examples`]: undefined },
    'an empty map': { [`${create} requestBody content application/json examples`]: {} },
    'no summary': { [`${create} requestBody content application/json examples textOnly summary`]: undefined },
    'no schema': { 'components responses NoteList content application/json examples': undefined },
  },
};
