import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../spec/files.ts';

const runner = "import { test } from 'node:test';\n";

/**
 * Writes two tests for default Jest: `deals.test.js`, which is that of the guide on Jest, word for word, and `sandbox.test.js`, that of the
 * guide on the sandbox as CommonJS without types, where `test` is a global.
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
 * The first block of code of a guide with this mark.
 *
 * @param mark - language, and name of the file if the guide gives one
 * @param part - it contains this
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
