import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderExample } from '../../scripts/docs/start-page.ts';
import { sampleLanguages } from '../../scripts/samples/languages.ts';
import { compilePrograms } from './compile.ts';
import { operations, samplesIn } from './samples.ts';

test('every TypeScript sample compiles, the example of the start page too, and a misspelt field does not', () => {
  const languages = sampleLanguages.filter(({ extension }) => extension === 'ts');
  const samples = languages.flatMap(({ id }) => samplesIn(id));
  const startPage = renderExample(operations);
  const inMemory = (name: string): string => join(import.meta.dirname, name);
  const programs = new Map([
    ...samples.map(({ name, text }) => [inMemory(name), text] as const),
    [inMemory('start-page.ts'), startPage],
    [inMemory('misspelt.ts'), startPage.replace('pipelineId:', 'pipelineID:')],
  ]);
  // A name for each: none replaces another.
  expect(programs.size).toBe(languages.length * operations.length + 2);
  expect(compilePrograms(programs)).toEqual([expect.stringMatching(/^test\/samples\/misspelt\.ts:\d+: .*pipelineID/)]);
});
