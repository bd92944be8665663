import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../spec/files.ts';

const runner = "import { test } from 'node:test';\n";

/**
 * Writes the test of the guide on the sandbox as default Jest takes it: CommonJS without types, and `test` is a global.
 * The rest is the guide's, word for word.
 */
export async function writeGuideTest(folder: string): Promise<void> {
  const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', 'sandbox.md'), 'utf8');
  const code = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, block = '']) => block)
    .find((block) => block.includes(runner));
  if (!code) throw new Error('docs/guides/sandbox.md has no test for node:test');
  const { outputText } = ts.transpileModule(code.replace(runner, ''), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  });
  await writeFile(join(folder, 'deals.test.js'), outputText);
}
