import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { listPackages } from '../../../scripts/build/packages.ts';
import { readBlock, writeGuideTests } from '../../../scripts/check/runtimes/guide-test.ts';
import { useProject } from './installed.ts';

const project = useProject('jest', '@opentelemetry/api');
beforeAll(() => writeGuideTests(project()));

/**
 * Runs a program with a `require()` that refuses ES modules, as in Jest with default settings, which `npm run runtimes`
 * tests.
 */
async function runCommonjs(program: string): Promise<string> {
  const args = ['--no-experimental-require-module', '--input-type=commonjs', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project(), timeout: 30_000 });
  return stdout;
}

test('require() needs no ES module for any entry', async () => {
  const specifiers = listPackages()
    .flatMap(({ entries }) => entries)
    .map(({ specifier }) => specifier);
  expect(specifiers).toContain('carillon-sandbox');
  const program = `for (const name of ${JSON.stringify(specifiers)}) console.log(name, Object.keys(require(name)).length > 0)`;
  expect((await runCommonjs(program)).trim().split('\n')).toEqual(specifiers.map((name) => `${name} true`));
});

test("the guide's test of the sandbox passes as CommonJS", async () => {
  const output = await runCommonjs("globalThis.test = require('node:test').test; require('./sandbox.test.js');");
  expect(output).toMatch(/pass 2\n/);
  expect(output).toMatch(/fail 0\n/);
});

test('the CommonJS program of the guide on installation prints what its ES module prints', async () => {
  const shown = readBlock('install', 'text output');
  expect(shown).toMatch(/\w/);
  expect(await runCommonjs(readBlock('install', 'js check.cjs'))).toBe(shown);
});
