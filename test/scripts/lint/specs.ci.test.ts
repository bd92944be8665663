import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { runLint } from '../../../scripts/check/lint.ts';
import { parseSpecSource } from '../../../scripts/lint/spec-source.ts';
import { lintEach, lintSpecs } from '../../../scripts/lint/specs.ts';
import { findDuplicates } from '../../../scripts/lint/uniqueness.ts';
import { validFile } from '../../support/valid-spec.ts';
import { broken, type Changes, create, createTag, list, note, remove } from './mutation.ts';

const exampleOfNote = `${create} requestBody content application/json examples textOnly value note`;

const folder = mkdtempSync(join(tmpdir(), 'lint-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('lintSpecs', () => {
  test('reports file, line and column of a finding, from Spectral and from Redocly, and a YAML error beside other files', async () => {
    const torn = write('torn.yaml', 'openapi: 3.1.1\ninfo: {title: Notes\npaths: {}\n');
    const text = broken({ [`${note} payload x-open`]: undefined, 'components schemas Note required': ['missing'] });
    const lineOf = (part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;
    const file = write('two-faults.yaml', text);
    expect(await lintSpecs({ files: [torn, file] })).toEqual([
      expect.objectContaining({ file: torn, line: 3, rule: 'yaml' }),
      expect.objectContaining({ file, line: lineOf('missing'), rule: 'no-required-schema-properties-undefined' }),
      expect.objectContaining({ file, line: lineOf('payload:'), column: 9, rule: 'open-shape' }),
    ]);
  });

  test.each([
    ['a key twice', 'openapi: 3.1.1\nopenapi: 3.1.1\n', 2],
    ['a null key', 'openapi: 3.1.1\ninfo:\n  null: Nothing\n', 3],
    ['an empty file', '', 1],
    ['a list', '- openapi\n', 1],
  ])('reports %s as a YAML error', async (_fault, text, line) => {
    const file = write('unusable.yaml', text);
    expect(await lintSpecs({ files: [file] })).toEqual([expect.objectContaining({ file, line, rule: 'yaml' })]);
  });

  const faults: [fault: string, rule: string, changes: Changes][] = [
    [
      'a reference to a missing component',
      'invalid-ref',
      { [`${remove} responses default $ref`]: '#/components/responses/Eror' },
    ],
    ['a misspelt type', 'oas3-schema', { [`${note} text type`]: 'strng' }],
    ['a misspelt key', 'oas3-schema', { [`${list} sumary`]: 'List notes' }],
    ['an unknown extension', 'extension-known', { [`${list} x-opne`]: 'Why.' }],
    ['an operationId twice', 'operation-operationId-unique', { [`${createTag} operationId`]: 'createNote' }],
    ['a missing operationId', 'operation-operationId', { [`${list} operationId`]: undefined }],
    ['a missing description', 'operation-description', { [`${list} description`]: undefined }],
    ['an unknown tag', 'operation-tag-defined', { [`${list} tags`]: ['Boards'] }],
    ['an example of the wrong type', 'oas3-valid-media-example', { [`${exampleOfNote} text`]: 7 }],
    [
      'a required field that does not exist',
      'no-required-schema-properties-undefined',
      { 'components schemas Note required': ['missing'] },
    ],
    [
      'two successes',
      'success-one',
      { [`${create} responses 201`]: { description: 'Created.', 'x-open': 'Its body.' } },
    ],
    ['two methods of one name', 'sdk-unique', { [`${createTag} x-sdk`]: 'notes.list' }],
    [
      'a wrapper that is not in the body',
      'sdk-unwrap',
      { [`${create} x-sdk unwrapBody`]: 'text', [`${create} x-people`]: undefined },
    ],
    [
      'a missing example',
      'examples-present',
      { [`${create} requestBody content application/json examples`]: undefined },
    ],
  ];

  test('a fault is one finding', async () => {
    // In one run of Redocly, which takes a second to start.
    const sources = faults.map(([, , changes], at) =>
      parseSpecSource(write(`fault-${at}.yaml`, broken(changes)), broken(changes)),
    );
    const each = await lintEach(sources);
    const found = sources.map((source, at) => [
      faults[at]?.[0],
      ...[...each.filter(({ file }) => file === source.file), ...findDuplicates([source])].map(({ rule }) => rule),
    ]);
    expect(found).toEqual(faults.map(([fault, rule]) => [fault, rule]));
  });

  test('a wrong indentation is one finding, although it affects all lines below', async () => {
    const file = write('indented.yaml', broken({}).replace(/^ {6}operationId:/m, '    operationId:'));
    expect(await lintSpecs({ files: [file] })).toEqual([expect.objectContaining({ rule: 'yaml' })]);
  });

  test('reports a missing file', async () => {
    const file = join(folder, 'missing.yaml');
    expect(await lintSpecs({ files: [file] })).toEqual([expect.objectContaining({ file, rule: 'file' })]);
  });
});

describe('the lint of specs', () => {
  test('prints one line and exits with 0 if there are no findings', async () => {
    const output = vi.spyOn(console, 'log').mockReturnValue();
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    expect(await runLint([validFile])).toBe(0);
    expect(output.mock.calls).toEqual([['spec lint: 1 file, 0 problems']]);
    expect(errors).not.toHaveBeenCalled();
  });

  test('prints file:line:column, rule and message of each finding, and exits with 1', async () => {
    const output = vi.spyOn(console, 'log').mockReturnValue();
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const file = write('unusable.yaml', '');
    const missing = join(folder, 'missing.yaml');
    expect(await runLint([file, missing])).toBe(1);
    expect(output).not.toHaveBeenCalled();
    expect(errors.mock.calls.flat().join('\n').split('\n')).toEqual([
      expect.stringMatching(`^${file}:1:1 yaml .*empty`),
      expect.stringMatching(`^${missing}:1:1 file `),
      'spec lint: 2 files, 2 problems',
    ]);
  });
});
