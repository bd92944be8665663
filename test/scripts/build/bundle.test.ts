import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundle } from '../../../scripts/build/bundle.ts';
import type { Package } from '../../../scripts/build/packages.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-bundle-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Bundles a package with one entry of this text. Returns the written files. */
async function bundleText(text: string, dependencies: string[]): Promise<string[]> {
  const one: Package = {
    name: 'carillon-example',
    folder: 'src/example',
    entries: [{ specifier: 'carillon-example', name: 'index', source: 'index.ts' }],
    namespaces: [],
    programs: [],
    commands: {},
    dependencies,
  };
  const scripts = join(folder, 'scripts');
  await mkdir(scripts, { recursive: true });
  await writeFile(join(scripts, 'index.js'), text);
  const output = join(folder, 'dist');
  await bundle(one, scripts, output);
  return (await readdir(output)).sort();
}

test('an import of an undeclared dependency is an error, including subpaths and dynamic imports', async () => {
  const failure = (name: string): string => `carillon-example imports ${name}, which is not one of its dependencies`;
  await expect(bundleText("export { z } from 'zod';", ['hono'])).rejects.toThrow(failure('zod'));
  await expect(bundleText("export { z } from 'zod/mini';", ['zod-mini'])).rejects.toThrow(failure('zod/mini'));
  await expect(bundleText("export const load = () => import('@scope/one');", ['@scope/two'])).rejects.toThrow(
    failure('@scope/one'),
  );
});

test("dependencies, their subpaths and Node's modules remain imports in both formats", async () => {
  const text = "export { z } from 'zod/mini';\nexport { join } from 'node:path';";
  expect(await bundleText(text, ['zod'])).toEqual(['index.cjs', 'index.js']);
});
