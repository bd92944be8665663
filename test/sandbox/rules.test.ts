import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { loadSpec } from '../../scripts/spec/model.ts';
import { findNamedTests, namedIds } from '../../scripts/spec/rule-tests.ts';
import { listErrorCodes, listRules } from '../../scripts/spec/rules.ts';
import { choices } from '../../src/sandbox/rules/choices.ts';
import { rules } from '../../src/sandbox/rules/rules.ts';

const named = findNamedTests();

function expectNamedTest(what: string, id: string): void {
  const missing = `no test names ${what} ${id}: test it in test/sandbox, with a title that ends with [${id}]`;
  expect(named.get(id) ?? [], missing).not.toEqual([]);
}

describe('every rule', () => {
  test('of the specs is known to the sandbox', () => {
    const written = specNames.flatMap((name) => listRules(loadSpec(name)).map(({ id }) => id));
    expect(Object.keys(rules).sort()).toEqual(written.sort());
  });

  test.each(Object.keys(rules))('%s is named by a test', (id) => {
    expectNamedTest('the rule', id);
  });
});

describe('every error code', () => {
  const codes = specNames.flatMap((name) => listErrorCodes(loadSpec(name)));

  test.each(codes)('%s is named by a test', (code) => {
    expectNamedTest('the error code', code);
  });
});

test('only titles of tests that run name ids', () => {
  // Input for the parser, which must ignore a skipped test. This file skips no tests.
  const source = `
    // test('in a comment [in-comment]', () => {});
    test('one [plain-title] [3093]', () => {});
    test('the place items[0], the index of [a] and [12a]', () => {});
    describe('a group [of-group] [and-another]', () => { it.each([['x [in-table]']])('each [of-each]', () => {}); });
    test.skip('not yet [is-skipped]', () => {});
    const text = 'a text [in-text]';
  `;
  expect([...namedIds(source)].sort()).toEqual(['3093', 'and-another', 'of-each', 'of-group', 'plain-title']);
});

describe('every choice', () => {
  const folder = join(repositoryRoot, 'src', 'sandbox');
  const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

  test.each(Object.entries(choices))('%s is used by the sandbox, and described in whole sentences', (id, text) => {
    // A colon follows the id in the table of descriptions.
    expect(code).toMatch(new RegExp(`'${id}'(?!:)`));
    expect(text).toMatch(/^[A-Z`].*\.$/);
  });

  test('takes its limits from constants', () => {
    // Statuses of HTTP, and numbers of one digit, are not limits.
    const limit = /(?<![\w-])(?!(?:200|4\d\d|5\d\d)\b)\d{2,}/;
    const tables = [...code.matchAll(/^const (?:choices|generalChoices) = \{\n(.*?)\n\}/gms)].map(
      ([, body = '']) => body,
    );
    expect(tables.length).toBeGreaterThan(20);
    const sentences = tables.flatMap((body) => body.split('\n')).map((line) => line.replace(/\$\{.*?\}/g, ''));
    expect(sentences.filter((line) => limit.test(line))).toEqual([]);
  });
});
