import { type Cases, create, list, note, search } from '../mutation.ts';

/** Changes that each break exactly one rule of spec/rules/document.yaml. */
export const documentCases: Cases = {
  'openapi-version': { 'another version': { openapi: '3.2.0' } },
  'component-name': {
    'a schema in camelCase': {
      'components schemas reminder': { type: 'string', description: 'A reminder.', 'x-source': '1 §2' },
      [`${note} reminder`]: { $ref: '#/components/schemas/reminder' },
    },
  },
  'shared-once': {
    'a parameter in the components': {
      [`${list} parameters 0`]: {
        name: 'limit',
        in: 'query',
        description: 'How many notes to return.',
        example: 10,
        schema: { maximum: 100, type: 'integer' },
      },
      [`${search} parameters`]: [{ $ref: '#/components/parameters/Limit' }],
    },
    'the same response twice': {
      [`${search} responses 200`]: { description: 'Done.', 'x-open': 'The body is not documented.' },
      [`${create} responses 200`]: { 'x-open': 'The body is not documented.', description: 'Done.' },
    },
  },
  'tag-group': {
    'a tag in no group': { 'x-tagGroups 0 tags': ['Notes'] },
    'a tag in two groups': { 'x-tagGroups 1': { name: 'Others', tags: ['Notes'] } },
    'a group with an unknown tag': { 'x-tagGroups 0 tags 2': 'Boards' },
    'a tag without an operation': {
      'tags 2': { name: 'Boards', description: 'Boards.' },
      'x-tagGroups 0 tags 2': 'Boards',
    },
  },
  'tag-group-form': {
    'a group without a name': { 'x-tagGroups 0 name': undefined },
    'an unknown key': { 'x-tagGroups 0 title': 'All' },
  },
  'security-scheme': {
    'another scheme beside it': {
      'components securitySchemes apiKey': { type: 'http', scheme: 'bearer', description: 'A key.' },
    },
    'another kind': { 'components securitySchemes bearerAuth scheme': 'basic' },
    'not set at the root': { security: undefined },
  },
  'security-override': { 'a scheme on an operation': { [`${list} security`]: [{ bearerAuth: [] }] } },
  'server-base': {
    'a slash at the end': { 'paths /token post servers 0 url': '{base_url}/' },
    'a variable without a description': { 'servers 0 variables base_url description': undefined },
    'on an operation': { 'paths /token post servers 0 description': undefined },
  },
};
