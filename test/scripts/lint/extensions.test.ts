import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkExtensions } from '../../../scripts/lint/extensions.ts';
import { findingAt, parseSpecSource } from '../../../scripts/lint/spec-source.ts';
import { extensions } from '../../../scripts/spec/extensions.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { broken, type Changes, create, createTag, list, pathOf, remove } from './mutation.ts';

const person = `${createTag} x-people 0`;
const error = `${create} x-errors 12`;
const schema = 'components schemas Note';

/** Rule → a fault, the change that causes it, and the place of the finding if it is not that of the change. */
const cases: [rule: string, fault: string, changes: Changes, at?: string][] = [
  ['extension-known', 'a misspelt name', { [`${list} x-opne`]: 'Why.' }],
  ['extension-known', 'another object', { 'tags 0 x-sdk': 'notes.list' }],
  ['extension-known', 'a schema that is not a component', { [`${schema} properties text x-source`]: '1 §2' }],
  ['extension-present', 'no document', { 'info x-document': undefined }, 'info'],
  ['extension-present', 'no source of an operation', { [`${list} x-source`]: undefined }, list],
  ['extension-present', 'no source of a component', { [`${schema} x-source`]: undefined }, schema],
  ['extension-present', 'no place in the client', { [`${list} x-sdk`]: undefined }, list],
  ['extension-present', 'no effect', { [`${remove} x-effect`]: undefined }, remove],
  ['source-sections', 'a section beyond the last', { [`${list} x-source`]: '1 §2, §10' }],
  ['source-sections', 'another document', { [`${list} x-source`]: '2 §2' }],
  ['source-sections', 'words', { [`${create} x-rules 0 source`]: 'section 2' }],
  ['extension-form', 'x-document without a number', { 'info x-document number': undefined }, 'info x-document'],
  ['extension-form', 'a gap in half a sentence', { 'info x-open': 'bodies of failures' }],
  ['extension-form', 'a gap without a text', { [`${list} x-open`]: { gap: 'zones' } }],
  ['extension-form', 'no gaps', { [`${list} x-inferred`]: [] }],
  ['extension-form', 'a method without a group', { [`${list} x-sdk`]: 'list' }],
  ['extension-form', 'a method with a hyphen', { [`${list} x-sdk`]: 'notes.list-all' }],
  ['extension-form', 'an unknown key of a method', { [`${create} x-sdk unwrap`]: 'note' }, `${create} x-sdk`],
  ['extension-form', 'the HTTP method as an effect', { [`${remove} x-effect`]: 'DELETE' }],
  [
    'extension-form',
    'an unknown key of an effect',
    { [`${createTag} x-effect tests`]: 'trial' },
    `${createTag} x-effect`,
  ],
  ['extension-form', 'people in one word', { [`${create} x-people`]: 'text' }],
  ['extension-form', 'a group without its people', { [`${person} who`]: undefined }, person],
  ['extension-form', 'a group without a count', { [`${person} count`]: undefined }, person],
  [
    'extension-form',
    'paging without an offset',
    { [`${list} x-pagination offset`]: undefined },
    `${list} x-pagination`,
  ],
  ['extension-form', 'an envelope in a sentence', { [`${create} responses 200 x-envelope`]: 'in data' }],
  [
    'extension-form',
    'a quota without its unit',
    { [`${create} x-rate-limit per`]: undefined },
    `${create} x-rate-limit`,
  ],
  ['extension-form', 'a rule in camelCase', { [`${create} x-rules 0 id`]: 'noteColor' }],
  ['extension-form', 'a rule that is not a sentence', { [`${create} x-rules 0 text`]: 'black by default' }],
  ['extension-form', 'a code in letters', { [`${create} x-errors E12`]: { meaning: 'No.' } }],
  ['extension-form', 'a code without advice', { [`${error} advice`]: undefined }, error],
  ['extension-form', 'names in camelCase', { 'components schemas Color x-enum-varnames 1': 'red' }],
  ['extension-form', 'meanings in a list', { 'components schemas Color x-enumDescriptions': ['Black.'] }],
  ['extension-form', 'a record in camelCase', { 'components schemas TagCreate x-record': 'tag' }],
  ['extension-form', 'a title in one word', { [`${schema} x-title`]: 'text' }],
  [
    'extension-form',
    'one variant only',
    { [`${schema} x-variants variants Plain`]: undefined },
    `${schema} x-variants variants`,
  ],
  ['extension-form', 'at least none', { [`${schema} x-at-least-one`]: false }],
  ['extension-form', 'a limit in one word', { [`${schema} properties text x-inferred-limits`]: 'type' }],
  ['extension-form', 'a decoded value without words', { [`${schema} properties layout x-decoded`]: ' ' }],
  ['extension-form', 'a group without tags', { 'x-tagGroups 0 tags': [] }],
];

test.each(cases)('%s: %s', (rule, _fault, changes, at = Object.keys(changes)[0] ?? '') => {
  const source = parseSpecSource('/broken.yaml', broken(changes));
  const { line } = findingAt(source, pathOf(at), rule, '');
  expect(checkExtensions(source).map((found) => `${found.rule} at line ${found.line}`)).toEqual([
    `${rule} at line ${line}`,
  ]);
});

test('the valid spec has no fault', () => {
  expect(checkExtensions(parseSpecSource('/valid.yaml', broken({})))).toEqual([]);
});

test('a fault says what to write', () => {
  const [found] = checkExtensions(
    parseSpecSource('/broken.yaml', broken({ [`${list} x-rate-limit`]: { requests: 5 } })),
  );
  expect(found?.message).toMatch(/^x-rate-limit must be \{requests, seconds, per\} \(seconds .*\)$/);
});

test('each extension has a case that breaks its form', () => {
  const isBroken = (name: string): boolean =>
    cases.some(
      ([rule, , changes]) =>
        rule !== 'extension-known' && Object.keys(changes).some((at) => at.split(' ').includes(name)),
    );
  const missing = Object.keys(extensions).filter((name) => !isBroken(name));
  // Its form is any text; `effect` checks what it names. All gaps have one form.
  expect(missing).toEqual(['x-conflict', 'x-undo']);
});

test('spec/README.md has a line for each extension', () => {
  const rows = readFileSync(join(repositoryRoot, 'spec', 'README.md'), 'utf8').matchAll(/^\| (`x-.*?) \|/gm);
  const documented = [...rows].flatMap(([, cell]) => cell?.match(/x-[\w-]+/g) ?? []);
  expect(Object.keys(extensions).sort()).toEqual(documented.sort());
});
