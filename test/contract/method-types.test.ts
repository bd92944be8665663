import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { generatedPath, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../../scripts/spec/model.ts';
import { compile, type Problem } from '../support/compile.ts';
import { augmentations, calls, levels, misspeltCalls, program, reads } from './method-program.ts';

const overOperations = { calls, misspeltCalls, reads, levels };
const specs = specNames.map((name) => loadSpec(name));
const sources = new Map(specs.flatMap(sourcesOf));

let problems: Problem[];
beforeAll(() => {
  problems = compile(sources);
});

function sourcesOf(spec: Spec): [string, string][] {
  const operations = listOperations(spec);
  return [
    ...Object.entries(overOperations).map(([check, write]): [string, string] => [
      `${spec.name}-${check}.ts`,
      program(spec, write, operations),
    ]),
    [`${spec.name}-augmentations.ts`, augmentations(spec)],
    [
      `${spec.name}-comments.ts`,
      `import type { Client } from '../../src/index.ts';\n${commentExamples(spec).join('')}`,
    ],
  ];
}

/** The examples in the comments of the methods. */
function commentExamples({ name }: Spec): string[] {
  const text = readFileSync(generatedPath(name, 'methods.ts'), 'utf8');
  return [...text.matchAll(/^ +\* ```ts\n([\s\S]*?)^ +\* ```$/gm)].map(([, code = '']) => {
    const lines = code.replaceAll(/^ +\* ?/gm, '');
    return `(async (api: Client) => {\n${lines}});\n`;
  });
}

describe.each(specs)('the methods of $name', (spec) => {
  const check = (name: string): void => {
    const file = `${spec.name}-${name}.ts`;
    expect(sources.get(file)).toBeDefined();
    expect(problems.filter((problem) => problem.file === file)).toEqual([]);
  };

  it('take every documented example, in types that both entries export', () => check('calls'));
  it('take no misspelt name, at any depth', () => check('misspeltCalls'));
  it('give results in which no misspelt name can be read, in types that both entries export', () => check('reads'));
  it('give the types that calls by path give', () => check('levels'));
  it('give open records that a user can add fields to', () => check('augmentations'));
  it('are shown with examples that compile, one each', () => {
    expect(commentExamples(spec)).toHaveLength(listOperations(spec).length);
    check('comments');
  });
});

it('nothing else is wrong with the programs', () => {
  expect(problems.filter(({ file }) => !sources.has(file))).toEqual([]);
});
