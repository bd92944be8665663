import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readKeywords } from '../../../scripts/generate/keyword-list.ts';
import { parseSource } from '../../../scripts/lint/source.ts';
import { checkStyle, fixStyle, keyOrder } from '../../../scripts/lint/style.ts';
import { repositoryRoot, specNames, specPath } from '../../../scripts/spec/files.ts';

const head = "openapi: 3.1.1\ninfo:\n  title: Notes\n  version: '1'\n";

/** The findings of a text, as `line rule message`. */
function findings(text: string): string[] {
  return checkStyle(parseSource('small.yaml', text)).map(({ line, rule, message }) => `${line} ${rule} ${message}`);
}

describe('the order of keys', () => {
  test('has a place for each accepted keyword of each object', () => {
    // Names of the document: their order is its own.
    const { responses: _, ...kinds } = readKeywords();
    for (const [kind, { client, docs }] of Object.entries(kinds)) {
      const methods = kind === 'pathItem' ? ['get', 'put', 'post', 'patch', 'delete'] : [];
      expect([...(keyOrder[kind] ?? []), ...methods], kind).toEqual(expect.arrayContaining([...client, ...docs]));
    }
  });

  test('has a place for each extension of spec/README.md', () => {
    const page = readFileSync(join(repositoryRoot, 'spec', 'README.md'), 'utf8');
    const extensions = [...page.matchAll(/^\| `(x-[\w-]+)` \|/gm)].map(([, name = '']) => name);
    expect(extensions.length).toBeGreaterThan(25);
    const placed = new Set(Object.values(keyOrder).flat());
    expect(extensions.filter((name) => !placed.has(name))).toEqual([]);
  });

  test('has each key once', () => {
    for (const [kind, keys] of Object.entries(keyOrder)) expect(new Set(keys).size, kind).toBe(keys.length);
  });

  test('is reported at the key that is too late, with the key that it precedes', () => {
    const text = `${head}paths:\n  /notes:\n    get:\n      summary: List\n      operationId: listNotes\n`;
    expect(findings(text)).toEqual([
      '9 key-order `operationId` comes before `summary`: `npm run lint:spec -- --fix` writes it',
    ]);
  });

  test.each(specNames)('is that of spec/%s.yaml', (name) => {
    expect(findings(readFileSync(specPath(name), 'utf8'))).toEqual([]);
  });

  test('leaves properties, paths, statuses and examples as the document has them', () => {
    const text = `${head}paths:
  /b:
    get:
      responses:
        default: {description: Any., content: {application/json: {examples: {one: {value: {type: a, $ref: b}}}}}}
        '200': {description: Done.}
  /a: {}
components:
  schemas:
    Note:
      type: object
      properties: {type: {type: string}, description: {type: string}, $ref: {type: string}}
`;
    expect(findings(text)).toEqual([]);
  });
});

describe('the fixer', () => {
  test.each([
    ['a map in lines', 'get:\n  summary: S\n  operationId: o\n', 'get:\n  operationId: o\n  summary: S\n'],
    [
      'texts of several lines',
      'get:\n  description: >-\n    One\n\n    two.\n  operationId: o\n',
      'get:\n  operationId: o\n  description: >-\n    One\n\n    two.\n',
    ],
    [
      'a comment above a key',
      'get:\n  summary: S # why\n  # The id.\n  operationId: o\n',
      'get:\n  # The id.\n  operationId: o\n  summary: S # why\n',
    ],
    [
      'an item of a list',
      'parameters:\n  - in: query\n    name: n\n    schema: {description: D, type: string}\n',
      'parameters:\n  - name: n\n    in: query\n    schema: {type: string, description: D}\n',
    ],
    [
      'a map in braces over two lines',
      'get:\n  responses: {\n    default: {content: {}, description: D}}\n  operationId: o\n',
      'get:\n  operationId: o\n  responses: {\n    default: {description: D, content: {}}}\n',
    ],
  ])('orders %s', (_, before, after) => {
    const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');
    const text = (part: string): string => `${head}paths:\n  /notes:\n${indent(part)}`;
    const fixed = fixStyle(text(before));
    expect(fixed).toBe(text(after));
    expect(parse(fixed)).toEqual(parse(text(before)));
    expect(findings(fixed)).toEqual([]);
  });

  test('writes references in one style', () => {
    const text = `${head}paths:
  /notes:
    parameters:
      - {$ref: '#/components/parameters/Id'}
      - $ref: "#/components/parameters/Other"
    get:
      responses:
        default:
          $ref: '#/components/responses/Error'
        '200': { $ref: '#/components/responses/Done' }
components:
  schemas:
    Note: {type: array, items: {$ref: "#/components/schemas/Item", description: An item.}}
`;
    const fixed = fixStyle(text);
    expect(fixed).toBe(`${head}paths:
  /notes:
    parameters:
      - $ref: '#/components/parameters/Id'
      - $ref: '#/components/parameters/Other'
    get:
      responses:
        default: {$ref: '#/components/responses/Error'}
        '200': {$ref: '#/components/responses/Done'}
components:
  schemas:
    Note: {type: array, items: {$ref: '#/components/schemas/Item', description: An item.}}
`);
    expect(findings(text).map((line) => line.split(' ')[1])).toEqual(Array(5).fill('ref-style'));
    expect(findings(fixed)).toEqual([]);
  });

  test('orders a whole spec whose keys are turned around, and changes no data', () => {
    const text = readFileSync(specPath('email'), 'utf8');
    const turned = JSON.stringify(parse(text), (_, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    );
    const fixed = fixStyle(turned);
    expect(parse(fixed)).toEqual(parse(text));
    expect(findings(fixed)).toEqual([]);
  });
});
