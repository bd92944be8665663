import { expect, test } from 'vitest';
import { readProductReferences } from '../../../scripts/docs/facts/product-reference.ts';
import { exampleProgram } from '../../../scripts/docs/pages/home.ts';
import { sampleLanguages } from '../../../scripts/samples/languages.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { compile } from '../../support/compile.ts';
import { samplesIn } from '../../support/samples.ts';
import { pages, readSnippets } from '../../support/snippets.ts';

/** Compiles only if every optional property of the options accepts `undefined`. */
const exactOptions = `
import type { CallOptions, ClientOptions } from 'carillon';
import type { TracingOptions } from 'carillon/otel';
import type { QuerySettings } from 'carillon/query';
import type { Fault, SandboxOptions } from 'carillon-sandbox';
import type { ResponseValidatorOptions } from 'carillon/validate';

type Refusing<Options> = {
  [Name in keyof Options]-?: object extends Pick<Options, Name>
    ? { [Key in Name]: undefined } extends Pick<Options, Name> ? never : Name
    : never;
}[keyof Options];

// It finds one that does not.
export const found: Refusing<{ one?: string; two?: string | undefined }> = 'one';
export const refusing: Record<
  | Refusing<ClientOptions> | Refusing<CallOptions> | Refusing<SandboxOptions>
  | Refusing<Fault> | Refusing<TracingOptions> | Refusing<QuerySettings> | Refusing<ResponseValidatorOptions>,
  never
> = {};
`;

test('every TypeScript sample, guide and the start page compile under the strictest options, and a misspelt field does not', async () => {
  const languages = sampleLanguages.filter(({ extension }) => extension === 'ts');
  const samples = languages.flatMap(({ id }) => samplesIn(id));
  // Includes `exactOptionalPropertyTypes`, which once rejected options that may be undefined.
  const guides = pages
    .flatMap(readSnippets)
    .map(({ code, extension }, index) => [`samples/guide-${index}.${extension}`, `${code}\nexport {};\n`] as const);
  const [example] = readProductReferences(loadSpec)
    .flatMap((reference) => reference.operations)
    .filter(({ operationId }) => operationId === 'createDeal');
  if (!example) throw new Error('There is no createDeal');
  const { program: startPage } = exampleProgram(example);
  const sources = new Map([
    ...samples.map(({ name, text }) => [`samples/${name}`, text] as const),
    ...guides,
    ['samples/exact-options.ts', exactOptions],
    ['samples/start-page.ts', startPage],
    ['samples/misspelt.ts', startPage.replace('pipelineId:', 'pipelineID:')],
  ]);
  // Unique names, so that no sample replaces another.
  expect(sources.size).toBe(samples.length + guides.length + 3);
  const problems = await compile({ sources, options: { noUnusedLocals: true, exactOptionalPropertyTypes: true } });
  // A guide's code block can declare names for the next one.
  const serious = problems.filter(({ file, message }) => !(/guide-/.test(file) && /never read/.test(message)));
  expect(serious).toEqual([
    { file: 'samples/misspelt.ts', line: expect.any(Number), message: expect.stringContaining('pipelineID') },
  ]);
});
