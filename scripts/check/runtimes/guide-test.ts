import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../spec/files.ts';

const runner = "import { test } from 'node:test';\n";

/**
 * Writes two tests for Jest with its default settings: `deals.test.js`, copied from the guide on Jest, and
 * `sandbox.test.js`, from the guide on the sandbox, converted to CommonJS without types, since Jest's `test` is global.
 */
export async function writeGuideTests(folder: string): Promise<void> {
  await writeFile(join(folder, 'deals.test.js'), readBlock('jest', 'js deals.test.js'));
  const code = readBlock('sandbox', 'ts', runner).replace(runner, '');
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  });
  await writeFile(join(folder, 'sandbox.test.js'), outputText);
}

/**
 * Returns the first code block of a guide with this info string.
 *
 * @param mark - language, and name of the file if the guide gives one
 * @param part - text that the block must contain
 */
export function readBlock(name: string, mark: string, part = ''): string {
  const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', `${name}.md`), 'utf8');
  const code = [...guide.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)]
    .filter(([, language]) => language === mark)
    .map(([, , block = '']) => block)
    .find((block) => block.includes(part));
  if (code === undefined) throw new Error(`docs/guides/${name}.md has no block marked as ${mark} with: ${part}`);
  return code;
}
