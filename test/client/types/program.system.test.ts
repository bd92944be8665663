import { beforeAll, describe, expect, it, test } from 'vitest';
import { listOperations } from '../../../scripts/spec/model.ts';
import { examples, findExamples } from '../../support/comment-examples.ts';
import { compile, type Problem } from '../../support/compile.ts';
import { packagePages, pages, readSnippets } from '../../support/snippets.ts';
import { unknownFields } from '../contract/method-program.ts';
import {
  augmentationSources,
  commentExamples,
  methodSource,
  methodSources,
  specs,
} from '../contract/method-sources.ts';

/** Path of a virtual program → a readable name and its code. */
const snippets = new Map(
  [...pages, ...packagePages]
    .flatMap(readSnippets)
    .map(({ name, code, extension }, index) => [`snippet-${index}.${extension}`, { name, code }]),
);
const misspelt = findExamples(
  'a.ts',
  "\n/** Makes it.\n * @example\n * ```ts\n * import { createClent } from 'carillon';\n * ```\n */",
);
const shown = new Map([...examples, ...misspelt].map((example, index) => [`example-${index}.ts`, example]));
const sources = new Map([
  ...methodSources,
  ...[...snippets, ...shown].map(([file, { code }]) => [file, `${code}\nexport {};\n`] as const),
]);

/** One program for all files that the project's own options cover. */
let problems: Problem[];
beforeAll(async () => {
  problems = await compile({ sources, whole: true });
});

function problemsIn(file: string): string[] {
  return problems.filter((problem) => problem.file === file).map(({ line, message }) => `${line}: ${message}`);
}

test('sources, scripts and tests compile (npm run typecheck shows the same)', () => {
  expect(problems.filter(({ file }) => !sources.has(file))).toEqual([]);
});

test("the lint's own rules compile", async () => {
  expect(await compile({ configuration: 'spec/rules/tsconfig.json', whole: true })).toEqual([]);
});

describe.each(specs)('the methods of $name', (spec) => {
  const check = (name: string): void => {
    const file = methodSource(spec.name, name);
    expect(sources.get(file)).toBeDefined();
    expect(problemsIn(file)).toEqual([]);
  };

  it('accept every documented example, in types that both entries export', () => check('calls'));
  it('accept no misspelt name at any depth', () => check('misspeltCalls'));
  it('return results without misspelt names, in types that both entries export', () => check('reads'));
  it('return the same types as calls by path', () => check('levels'));
  it('have examples that compile, one each', () => {
    expect(commentExamples(spec)).toHaveLength(listOperations(spec).length);
    check('comments');
  });
});

test('a user can declare fields of each open record, and each field of a response that is not documented', async () => {
  const fields = specs.flatMap(unknownFields).map(({ name, field }) => `${name}.${field}`);
  expect(fields).toEqual(expect.arrayContaining(['Contact.tags', 'Subscriber.variables', 'SendingDomainAdded.error']));
  expect(augmentationSources.size).toBe(specs.length);
  expect(await compile({ sources: augmentationSources })).toEqual([]);
});

describe('the examples in the comments of the sources', () => {
  it('compile', () => {
    expect(examples.length).toBeGreaterThan(30);
    const failed = [...shown].filter(([file]) => problemsIn(file).length > 0).map(([, { place }]) => place);
    expect(failed).toEqual(['a.ts:2']);
  });

  it('are checked: a misspelt name in one is found', () => {
    const [file = ''] = [...shown].find(([, { place }]) => place === 'a.ts:2') ?? [];
    expect(problemsIn(file)).toEqual([expect.stringContaining('createClent')]);
    expect(() => findExamples('a.ts', '/** @example createClient() */')).toThrow('src/a.ts:1');
  });
});

test.for([...snippets])('%s: the code block compiles', ([file]) => {
  expect(problemsIn(file), snippets.get(file)?.name).toEqual([]);
});
