import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildProgram } from '../../../scripts/check/runtimes/build-program.ts';
import { everything, sameResponses } from '../../../scripts/check/runtimes/matrix.ts';
import { specNames, specPath } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { isNightly } from '../../support/amounts.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';
import { askPrism, startPrism } from '../../support/prism.ts';
import { specMock } from '../../support/spec-mock.ts';
import { useProject } from './installed.ts';

const project = useProject('program');
let mock: RunningServer;
beforeAll(async () => {
  await buildProgram(project());
  mock = await serve(await specMock(), { port: 0 });
});
afterAll(() => mock?.close());

/** Bundles a program in the project. */
async function bundle(contents: string): Promise<string> {
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false } as const;
  const { outputFiles } = await build({ stdin: { contents, resolveDir: project() }, logLevel: 'silent', ...options });
  return outputFiles[0]?.text ?? '';
}

// A process shows Node's warnings. By day, `npm run runtimes` does the rest.
test.runIf(isNightly)(
  'the installed mock responds to every operation as that of the sources does, without a warning',
  async () => {
    const options = { cwd: project(), timeout: 60_000 };
    const output = await promisify(execFile)(process.execPath, ['mock.js', mock.url], options);
    expect(output).toEqual({ stdout: `${sameResponses}\n`, stderr: '' });
  },
);

test('Chromium runs its bundle, in a page of another origin', async ({ skip }) => {
  if (missingChromium) return skip(missingChromium);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ path: join(project(), 'page.bundle.js'), type: 'module' });
    const seen: unknown = await page.evaluate(`run('${mock.url}')`);
    expect(seen).toEqual(everything.split(' '));
  } finally {
    await browser.close();
  }
});

test.each(specNames.flatMap((name) => ['carillon', 'carillon-mock'].map((from) => [from, name] as const)))(
  '%s/spec/%s.yaml is the spec',
  (from, name) => {
    const installed = createRequire(join(project(), 'main.js')).resolve(`${from}/spec/${name}.yaml`);
    expect(installed).toBe(join(project(), 'node_modules', from, 'dist', 'spec', `${name}.yaml`));
    expect(readFileSync(installed)).toEqual(readFileSync(specPath(name)));
  },
);

test('the manifest can be imported, but paths outside exports cannot', () => {
  const require = createRequire(join(project(), 'main.js'));
  expect(require('carillon/package.json')).toMatchObject({ name: 'carillon', sideEffects: false });
  expect(() => require('carillon/dist/index.js')).toThrow('is not defined by "exports"');
});

test('npx @stoplight/prism-cli mock node_modules/carillon/dist/spec/email.yaml serves a team without a clone', async () => {
  const operation = listOperations(loadSpec('email')).find(({ key }) => /^GET [^{]+$/.test(key));
  if (!operation) return expect.unreachable();
  const [response] = Object.values(operation.success.examples);
  const file = 'node_modules/carillon/dist/spec/email.yaml';
  const prism = await startPrism(project(), file);
  onTestFinished(() => prism.end());
  expect(await askPrism(prism.url, operation)).toEqual([200, response?.value]);
});

test('a bundle contains only used code: importing a guard adds no client', async () => {
  expect(await bundle("import 'carillon'; import 'carillon/crm';")).toBe('');
  const guard = await bundle("import { isCarillonError } from 'carillon'; globalThis.guard = isCarillonError;");
  const client = await bundle("import { createClient } from 'carillon'; globalThis.create = createClient;");
  expect(client).toContain('/deals/{dealId}');
  expect(guard).not.toContain('/deals/{dealId}');
  expect(guard.length).toBeLessThan(client.length / 20);
});
