import { describe, expect, it } from 'vitest';
import { modelSpec } from '../../../scripts/generate/model/operation-model.ts';
import { generateMethods } from '../../../scripts/generate/outputs/methods.ts';
import type { OperationObject, Parameter, Schema } from '../../../scripts/spec/schema.ts';
import { commentOf } from './comments.ts';
import { body, operation, smallModel, smallSpec } from './small-model.ts';

function method(more: Partial<OperationObject>): string {
  return commentOf(generateMethods(smallModel({ 'GET /things': operation('things.do', more) })), 'do');
}

function field(schema: Schema): string {
  const fields: Schema = { type: 'object', properties: { field: schema } };
  return commentOf(generateMethods(smallModel({ 'POST /things': operation('things.do', body(fields)) })), 'field');
}

describe('the comment of a method', () => {
  it('has summary, description, path, operation ID, source and an example call', () => {
    expect(method({ summary: 'Count things', description: 'Counts them.' })).toBe(
      [
        'Count things. Counts them.',
        '',
        'Request: `GET /things`, operation `things_do`.',
        '',
        'Source: CRM document, section 4.',
        '',
        '@throws `ApiError` for any failure that the service reports',
        '@example',
        '```ts',
        'await api.crm.things.do();',
        '```',
      ].join('\n'),
    );
  });

  it('refers to other operations by their methods', () => {
    const operations = {
      'GET /things': operation('things.list'),
      'POST /things': operation('things.create', { description: 'See `GET /things` and `GET /others`.' }),
    };
    const text = commentOf(generateMethods(smallModel(operations)), 'create');
    expect(text).toContain('See `things.list` (`GET /things`) and `GET /others`.');
  });

  it.each([
    [{ requests: 5, seconds: 86_400, per: 'account' }, 'Quota: 5 requests in 24 hours per account.'],
    [{ requests: 1, seconds: 900, per: 'website' }, 'Quota: 1 request in 15 minutes per website.'],
    [{ requests: 2, seconds: 90, per: 'account' }, 'Quota: 2 requests in 90 seconds per account.'],
  ])('states the quota in readable units', (quota, text) => {
    expect(method({ 'x-rate-limit': quota })).toContain(text);
  });

  it('has the documented statuses by error class, and the codes with their meanings', () => {
    const responses = { '204': { description: 'Done.' }, '404': { description: 'There is no such thing.' } };
    const codes = { '3084': { meaning: 'Not approved yet.', rule: 'things-approved', advice: 'Wait.' } };
    const text = method({ responses, 'x-errors': codes });
    expect(text).toContain('@throws `NotFoundError` (status 404): There is no such thing.\n');
    expect(text).toContain('@throws `ApiError` with code `3084`: Not approved yet.\n');
    expect(text).toContain('@throws `ApiError` for any other failure that the service reports\n');
  });

  it('describes a status whose response is in the components', () => {
    const responses = {
      '204': { description: 'Done.' },
      '404': { $ref: '#/components/responses/Gone', description: '' },
    };
    const spec = smallSpec({ 'GET /things': operation('things.do', { responses }) });
    spec.openapi.components.responses = { Gone: { description: 'It is gone.' } };
    expect(commentOf(generateMethods(modelSpec(spec)), 'do')).toContain('`NotFoundError` (status 404): It is gone.');
  });

  it('has what is not documented or contradictory, and deprecation', () => {
    const text = method({
      'x-open': ['The order is not documented.', 'The size is not documented.'],
      'x-conflict': 'Both are said.',
      deprecated: true,
    });
    for (const part of [
      'The order is not documented.',
      'The size is not documented.',
      'Both are said.',
      '\n@deprecated\n',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('keeps paragraphs and tables', () => {
    expect(method({ description: 'First\nparagraph.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLast.' })).toContain(
      'First paragraph.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLast.\n',
    );
  });

  it('shows a list as items, with the page size that the client requests', () => {
    const limit: Parameter = { name: 'limit', in: 'query', schema: { type: 'integer' } };
    const list: Schema = { type: 'array', items: { type: 'string' } };
    const text = method({
      parameters: [limit],
      responses: { '200': { description: 'Done.', content: { 'application/json': { schema: list } } } },
      'x-pagination': { in: 'query', limit: 'limit', offset: 'offset', maximum: 100 },
    });
    expect(text).toContain('for await (const item of api.crm.things.do()) {');
    expect(text).toContain('Without `limit`, the client requests pages of 100.');
  });
});

describe('the comment of a field', () => {
  it.each<[string, Schema, string]>([
    ['its description', { description: 'Time in seconds' }, 'Time in seconds.'],
    ['a limit of text', { description: 'Name.', minLength: 1, maxLength: 50 }, 'Name. 1 to 50 characters.'],
    ['a limit of a number', { description: 'Size.', maximum: 9 }, 'Size. At most 9.'],
    [
      'a limit of a list and of its items',
      { description: 'All.', minItems: 1, items: { maxLength: 5 } },
      'All. At least 1 items. Each: At most 5 characters.',
    ],
    [
      'the values of a map',
      { description: 'Texts.', additionalProperties: { description: 'A text', maxLength: 5 } },
      'Texts. Each: A text. At most 5 characters.',
    ],
    [
      'format, pattern and default',
      { description: 'Day.', format: 'date', pattern: '^2', default: 'x' },
      'Day. Format: date. Pattern: `^2`. Default: `"x"`.',
    ],
    [
      'what is open',
      { description: 'Day.', 'x-open': 'Its format is not documented.' },
      'Day.\n\nIts format is not documented.',
    ],
    ['its deprecation', { description: 'Day.', deprecated: true }, 'Day.\n\n@deprecated'],
  ])('has %s', (_, schema, text) => {
    expect(field(schema)).toBe(text);
  });

  it.each<[string, Schema, string]>([
    [
      'in the same words',
      { description: 'Name, at most 50 characters.', maxLength: 50 },
      'Name, at most 50 characters.',
    ],
    [
      'in other words',
      { description: 'Text, up to 65,535 characters.', maxLength: 65_535 },
      'Text, up to 65,535 characters.',
    ],
    [
      'of which a part looks the same',
      { description: '10 to 5 or 0 to 50.', minimum: 0, maximum: 5 },
      '10 to 5 or 0 to 50. 0 to 5.',
    ],
  ])('states a limit once, even if it appears %s', (_, schema, text) => {
    expect(field(schema)).toBe(text);
  });
});
