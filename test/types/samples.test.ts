import { expect, test } from 'vitest';
import { renderExample } from '../../scripts/docs/start-page.ts';
import { sampleLanguages } from '../../scripts/samples/languages.ts';
import { operations, samplesIn } from '../samples/samples.ts';
import { compile } from '../support/compile.ts';

test('every TypeScript sample compiles, the example of the start page too, and a misspelt field does not', () => {
  const languages = sampleLanguages.filter(({ extension }) => extension === 'ts');
  const samples = languages.flatMap(({ id }) => samplesIn(id));
  const startPage = renderExample(operations);
  const sources = new Map([
    ...samples.map(({ name, text }) => [`samples/${name}`, text] as const),
    ['samples/start-page.ts', startPage],
    ['samples/misspelt.ts', startPage.replace('pipelineId:', 'pipelineID:')],
  ]);
  // A name for each: none replaces another.
  expect(sources.size).toBe(samples.length + 2);
  const problems = compile({ sources, options: { noUnusedLocals: true, exactOptionalPropertyTypes: true } });
  expect(problems).toEqual([
    { file: 'samples/misspelt.ts', line: expect.any(Number), message: expect.stringContaining('pipelineID') },
  ]);
});
