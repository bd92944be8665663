import { expect, test } from 'vitest';
import { readKeywords } from './keyword-list.ts';
import { openapiKeywords, schemaKeywords } from './meta-schemas.ts';
import { brokenDocument, type Changes, create, createTag, list, note } from './mutation.ts';

type Rule = (openapi: unknown, options: unknown) => { message: string; path: (string | number)[] }[];
const { default: knownKeywords }: { default: Rule } = await import(
  new URL('../../../spec/rules/knownKeywords.js', import.meta.url).href
);
const keywords = readKeywords();

function faultsOf(changes: Changes): string[] {
  return knownKeywords(brokenDocument(changes), keywords).map(({ message, path }) => `${path.join(' ')}: ${message}`);
}

/** Kind of object → an object of the valid spec. */
const places: Readonly<Record<string, string>> = {
  root: '',
  info: 'info ',
  contact: 'info contact ',
  license: 'info license ',
  server: 'servers 0 ',
  serverVariable: 'servers 0 variables base_url ',
  tag: 'tags 0 ',
  components: 'components ',
  securityScheme: 'components securitySchemes bearerAuth ',
  pathItem: 'paths /notes ',
  operation: `${list} `,
  parameter: `${list} parameters 1 `,
  requestBody: `${create} requestBody `,
  response: `${create} responses 200 `,
  mediaType: `${create} requestBody content application/json `,
  example: `${createTag} requestBody content application/json examples word `,
  schema: `${note} text `,
};

/** Unread keyword of an object → a part of what to write. */
const unread = {
  'root webhooks': 'describe it in `info`',
  'root jsonSchemaDialect': 'remove it',
  'root externalDocs': 'in the description',
  'info termsOfService': 'in the description',
  'serverVariable enum': 'describe the values',
  'tag externalDocs': 'in the description',
  'components headers': 'in the response',
  'components examples': 'write them there',
  'components links': 'in the description',
  'components callbacks': 'in the operation',
  'components pathItems': 'under `paths`',
  'securityScheme name': 'one bearer token',
  'securityScheme in': 'one bearer token',
  'securityScheme flows': 'one bearer token',
  'securityScheme openIdConnectUrl': 'one bearer token',
  'pathItem $ref': 'write the operations here',
  'pathItem summary': 'on the operations',
  'pathItem description': 'on the operations',
  'pathItem servers': 'on the operations',
  'pathItem patch': 'ask for it in an issue',
  'pathItem head': 'ask for it in an issue',
  'pathItem options': 'ask for it in an issue',
  'pathItem trace': 'ask for it in an issue',
  'operation externalDocs': 'in the description',
  'operation callbacks': 'in the operation',
  'parameter style': 'ask for another style in an issue',
  'parameter explode': 'ask for another style in an issue',
  'parameter examples': 'write `example`',
  'parameter content': 'write `schema`',
  'parameter allowReserved': 'describe the characters',
  'parameter allowEmptyValue': 'remove it',
  'response headers': 'in the response',
  'response links': 'in the description',
  'mediaType example': 'write `examples`',
  'mediaType encoding': 'remove it',
  'example $ref': 'write the example here',
  'example externalValue': 'write the value here',
  'schema title': 'remove it',
  'schema $comment': 'write a comment of YAML',
  'schema $id': 'under its name',
  'schema $anchor': 'under its name',
  'schema $defs': 'under its name',
  'schema $dynamicRef': 'under its name',
  'schema $dynamicAnchor': 'under its name',
  'schema $schema': 'remove it',
  'schema $vocabulary': 'remove it',
  'schema readOnly': 'a schema of its own for the request',
  'schema writeOnly': 'a schema of its own for the response',
  'schema example': '`examples`',
  'schema externalDocs': 'in the description',
  'schema nullable': "[string, 'null']",
  'schema xml': 'remove it',
  'schema discriminator': 'with `const`',
  'schema oneOf': 'write `anyOf`',
  'schema exclusiveMinimum': 'write `minimum`',
  'schema exclusiveMaximum': '`maximum`',
  'schema multipleOf': 'in the description',
  'schema uniqueItems': 'in the description',
  'schema minProperties': 'in the description',
  'schema maxProperties': 'in the description',
  'schema contains': 'in the description',
  'schema minContains': 'in the description',
  'schema maxContains': 'in the description',
  'schema propertyNames': 'in the description',
  'schema unevaluatedItems': 'in the description',
  'schema unevaluatedProperties': 'in the description',
  'schema patternProperties': 'write `additionalProperties`',
  'schema prefixItems': 'write `items`',
  'schema dependentSchemas': 'write `if` and `then`',
} as const;

/** Keyword of an object, with an unread value → a part of what to write. */
const unreadValues: Readonly<Record<string, [value: unknown, part: string]>> = {
  'root openapi': ['3.2.0', 'write 3.1.1'],
  'securityScheme type': ['apiKey', 'write http'],
  'securityScheme scheme': ['basic', 'write bearer'],
  'parameter in': ['header', 'describe it in the operation'],
  'requestBody content': [{ 'text/plain': {} }, 'write application/json'],
  'response content': [{ 'text/plain': {} }, 'write application/json'],
  'schema additionalProperties': [false, 'remove it'],
  'schema contentEncoding': ['base32', 'write base64'],
  'schema format': ['date-time', 'write a `pattern`'],
};

const split = (row: string): [kind: string, keyword: string] => [row.split(' ')[0] ?? '', row.split(' ')[1] ?? ''];
const placeOf = (row: string): string => places[split(row)[0]] + split(row)[1];

test('the valid spec is in the closed language', () => {
  expect(faultsOf({})).toEqual([]);
});

test.each(Object.entries(unread))('%s is reported, with what to write', (row, part) => {
  const [fault, ...others] = faultsOf({ [placeOf(row)]: 1 });
  expect(fault).toContain(`${placeOf(row)}: `);
  expect(fault).toContain(part);
  expect(others).toEqual([]);
});

test.each(Object.entries(unreadValues))('%s is reported with another value', (row, [value, part]) => {
  const [fault, ...others] = faultsOf({ [placeOf(row)]: value });
  expect(fault).toContain(`${placeOf(row)}: `);
  expect(fault).toContain(part);
  expect(others).toEqual([]);
});

test('a keyword that is on no list is reported, with those that can be written', () => {
  expect(faultsOf({ [`${note} text maxlength`]: 9 })).toEqual([
    expect.stringMatching(/text maxlength: nothing reads .*: write .*maxLength.*ask for it in an issue$/),
  ]);
});

test('a keyword beside a reference is reported, with the place where it belongs', () => {
  expect(faultsOf({ [`${note} color maxLength`]: 9 })).toEqual([
    expect.stringMatching(/color maxLength: .*lost: write it at #\/components\/schemas\/Color/),
  ]);
});

test('the table has each unread keyword of the list', () => {
  const all = Object.entries(keywords).flatMap(([kind, known]) =>
    kind.includes('.') ? [] : Object.keys(known.unread).map((keyword) => `${kind} ${keyword}`),
  );
  expect(Object.keys(unread).sort()).toEqual(all.sort());
  expect(Object.keys(unreadValues).map((row) => row.replace(' ', '.'))).toEqual(
    expect.arrayContaining(Object.keys(keywords).filter((kind) => kind.includes('.'))),
  );
});

/** Objects that only unread keywords lead to. */
const unreachable = ['externalDocumentation', 'encoding', 'header', 'link', 'oauthFlows'];
const kinds = Object.entries(openapiKeywords()).filter(([kind]) => !unreachable.includes(kind));

test.each([...kinds, ['schema', schemaKeywords()] as const])('the list has every keyword of %s once', (kind, all) => {
  const { client = [], docs = [], unread: others = {} } = keywords[kind] ?? {};
  const listed = [...client, ...docs, ...Object.keys(others)];
  expect(all.length).toBeGreaterThan(0);
  expect(listed).toEqual(expect.arrayContaining([...all]));
  expect(new Set(listed).size).toBe(listed.length);
});
