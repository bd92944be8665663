import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bannedExpressions, findBannedExpressions } from '../../../scripts/lint/banned-expressions.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'banned-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Lines of the findings in a file with the given text. */
async function lint(name: string, text: string): Promise<string[]> {
  await writeFile(join(root, name), text);
  const { findings } = findBannedExpressions({ root, paths: ['.'] });
  return findings.map(({ file, line, column, message }) => `${file === join(root, name)} ${line}:${column} ${message}`);
}

describe('a banned expression', () => {
  it('is reported with file, line, column and replacement', async () => {
    expect(await lint('a.ts', '// Reads it.\n/** Starts anew. */\n')).toEqual([
      'true 2:12 "anew" is banned: write "again"',
    ]);
  });

  it.each(['ts', 'mjs', 'md', 'yaml'])('is found in .%s files', async (extension) => {
    expect(await lint(`a.${extension}`, '# Not shown.\n')).toHaveLength(1);
  });

  it.each([
    ['a block comment', '/**\n * Its size is not\n * shown.\n */'],
    ['line comments', '// Its size is not\n// shown.'],
    ['a text', 'Its size is not\n  shown.'],
  ])('is found across a line break of %s', async (_, text) => {
    expect(await lint('a.ts', text)).toEqual([
      expect.stringContaining('"not shown" is banned: write "not documented"'),
    ]);
  });

  it.each(Object.keys(bannedExpressions.expressions))('"%s" is found', async (expression) => {
    expect(await lint('a.md', `It ${expression} it.`)).toContainEqual(expect.stringContaining(`"${expression}"`));
  });

  it('is not found inside other words', async () => {
    expect(await lint('a.md', 'amend recommended bearer understands it, is-told')).toEqual([]);
  });
});

it('no path of the list contains a banned expression', () => {
  const { files, findings } = findBannedExpressions();
  expect(files).toBeGreaterThan(100);
  expect(findings).toEqual([]);
});

it.each(bannedExpressions.paths)('the path %s of the list has files', (path) => {
  expect(findBannedExpressions({ paths: [path] }).files).toBeGreaterThan(0);
});
