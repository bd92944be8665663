import { describe, expect, it } from 'vitest';
import { describeExtensions } from '../../../../scripts/docs/facts/describe-extensions.ts';
import { specNames } from '../../../../scripts/spec/files.ts';
import { collectGaps } from '../../../../scripts/spec/gaps.ts';
import { loadSpec } from '../../../../scripts/spec/model.ts';
import { walk } from '../../../../scripts/spec/walk.ts';
import { gapTextsIn } from './gap-texts.ts';

describe.each(specNames)('the gaps of %s', (name) => {
  const spec = loadSpec(name);
  const texts = gapTextsIn(spec.openapi);

  it('are all on the page of what is not documented', () => {
    const gaps = collectGaps(spec).flatMap((group) => group.gaps.map((gap) => gap.text));
    expect(gaps.sort()).toEqual(texts.sort());
  });
});

describe('an extension in a description', () => {
  it.each([
    [{ 'x-open': 'Its size is not documented.' }, '> **Not documented.** Its size is not documented.'],
    [{ 'x-open': { gap: 'sizes', text: 'Its size is open.' } }, '> **Not documented.** Its size is open.'],
    [{ 'x-inferred': ['One.', 'Two.'] }, '> **Inferred**\n> \n> - One.\n> - Two.'],
    [{ 'x-rules': [{ id: 'it-holds', source: '1 §2', text: 'It holds.' }] }, '**Rules**\n\n- It holds. (`it-holds`)'],
    [
      { 'x-people': ['to', 'cc', { field: 'list', who: 'people in the list', count: 'none' }] },
      '**Concerns** each person in `to`, `cc`; the people in the list (`list`), whom no documented request counts.',
    ],
    [
      {
        'x-people': [
          { field: 'site', who: 'readers', count: { operation: 'countReaders', parameter: 'id', result: 'total' } },
        ],
      },
      '**Concerns** the readers (`site`), counted by `countReaders`.',
    ],
    [
      { 'x-effect': { kind: 'write', testMode: 'trial' } },
      '**Test mode.** With `trial` true, the service checks the request, sends nothing and charges nothing.',
    ],
    [{ 'x-source': '2 §2, §4' }, 'Source: Messaging document, sections 2 and 4.'],
    [
      { 'x-errors': { 3086: { meaning: 'Too many.', rule: 'few-things', advice: 'Send fewer.' } } },
      '**Error codes**\n\n- code 3086: Too many.',
    ],
    [
      { 'x-rate-limit': { requests: 5, seconds: 86_400, per: 'account' } },
      '**Quota.** 5 requests in 24 h for each account.',
    ],
    [{ 'x-rate-limit': { requests: 1, seconds: 90, per: 'key' } }, '**Quota.** 1 requests in 90 s for each key.'],
    [
      { 'x-pagination': { in: 'query', limit: 'limit', offset: 'offset', maximum: 100 } },
      '**Pages.** `limit` and `offset` in the query, at most 100 on a page.',
    ],
  ])('%j', (node, markdown) => {
    expect(describeExtensions(node, [])).toEqual([markdown]);
  });
});

describe('the walk through a spec', () => {
  it('recognizes a property or response with any name', () => {
    const visited: string[] = [];
    const openapi = {
      paths: { '/a': { get: { responses: { default: { description: 'd' } } } } },
      components: { schemas: { example: { properties: { enum: { type: 'string' } }, example: { a: 1 } } } },
      'x-own': { a: 1 },
    };
    walk(openapi, (_, path) => visited.push(path.join('/')));
    expect(visited).toEqual([
      '',
      'paths//a',
      'paths//a/get',
      'paths//a/get/responses/default',
      'components',
      'components/schemas/example',
      'components/schemas/example/properties/enum',
    ]);
  });
});
