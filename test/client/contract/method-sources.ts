import { readFileSync } from 'node:fs';
import { pascalCase } from '../../../scripts/generate/typescript/names.ts';
import { generatedPath, specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../../../scripts/spec/model.ts';
import { augmentations, calls, levels, misspeltCalls, program, reads } from './method-program.ts';

const overOperations = { calls, misspeltCalls, reads, levels };
export const specs = specNames.map((name) => loadSpec(name));

/** Virtual path of a program, which imports the client by relative paths. */
export function methodSource(spec: string, check: string): string {
  return `test/client/contract/${spec}-${check}.ts`;
}

/** Programs over every method, as path from the root → text. */
export const methodSources = new Map(specs.flatMap(sourcesOf));

function sourcesOf(spec: Spec): [string, string][] {
  const operations = listOperations(spec);
  return [
    ...Object.entries(overOperations).map(([check, write]): [string, string] => [
      methodSource(spec.name, check),
      program(spec, write, operations),
    ]),
    [methodSource(spec.name, 'comments'), commentProgram(spec)],
  ];
}

/** Programs that add custom fields to the records. They are separate, because a declaration applies to a whole program. */
export const augmentationSources = new Map(
  specs.map((spec) => [methodSource(spec.name, 'augmentations'), augmentations(spec)]),
);

/** A program of the examples in the methods' comments, with constants imported as users do: `Crm.DealStatus`. */
function commentProgram(spec: Spec): string {
  const examples = commentExamples(spec).join('');
  const constants = pascalCase(spec.name);
  const names = examples.includes(`${constants}.`) ? `type Client, ${constants}` : 'type Client';
  return `import { ${names} } from '../../../src/client/index.ts';\n${examples}`;
}

/** Examples in the comments of the methods. */
export function commentExamples({ name }: Spec): string[] {
  const text = readFileSync(generatedPath(name, 'methods.ts'), 'utf8');
  return [...text.matchAll(/^ +\* ```ts\n([\s\S]*?)^ +\* ```$/gm)].map(([, code = '']) => {
    const lines = code.replaceAll(/^ +\* ?/gm, '');
    return `(async (api: Client) => {\n${lines}});\n`;
  });
}
