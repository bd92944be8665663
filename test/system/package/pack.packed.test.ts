/** One test of each kind, for `npm run pack`. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listPackages } from '../../../scripts/build/packages.ts';
import { buildProgram } from '../../../scripts/check/runtimes/build-program.ts';
import { everything } from '../../../scripts/check/runtimes/matrix.ts';
import { openTelemetry } from '../../../scripts/check/runtimes/package.ts';
import { type RunningServer, serve } from '../../../src/shared/server/serve.ts';
import { specMock } from '../../support/spec-mock.ts';
import { compileProject, writeEveryEntry } from './compile-project.ts';
import { runCommonjs, usePacked, useProject } from './installed.ts';

const packed = usePacked();
const typescript = useProject('typescript', ...openTelemetry(), '@tanstack/query-core');

test.each(listPackages().map(({ name }) => name))('%s passes publint without suggestions', async (name) => {
  const { tarball } = packed().find((one) => one.name === name) ?? expect.unreachable(`${name} was not packed`);
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, level: 'suggestion', strict: true });
  // This condition leads to the sources in this repository, and users do not set it.
  const others = messages.filter(({ path }) => !path.includes('carillon-source'));
  expect(others.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test('require() needs no ES module for any entry', async () => {
  const specifiers = listPackages()
    .flatMap(({ entries }) => entries)
    .map(({ specifier }) => specifier);
  expect(specifiers).toContain('carillon-sandbox');
  const program = `for (const name of ${JSON.stringify(specifiers)}) console.log(name, Object.keys(require(name)).length > 0)`;
  expect((await runCommonjs(typescript(), program)).trim().split('\n')).toEqual(
    specifiers.map((name) => `${name} true`),
  );
});

test('the declarations compile in strict mode, libraries checked: as modules and as CommonJS', () => {
  const everyEntry = writeEveryEntry(typescript());
  expect(compileProject(join(typescript(), 'tsconfig.json'), everyEntry)).toEqual([]);
});

describe('the program of every runtime', () => {
  const program = useProject('program');
  let mock: RunningServer;
  beforeAll(async () => {
    await buildProgram(program());
    mock = await serve(await specMock(), { port: 0 });
  });
  afterAll(() => mock?.close());

  test.each(['main.js', 'main.cjs'])('Node runs the installed package without a warning: %s', async (file) => {
    // A process shows Node's warnings.
    const options = { cwd: program(), timeout: 30_000 };
    const output = await promisify(execFile)(process.execPath, [file, mock.url], options);
    expect(output).toEqual({ stdout: `${everything}\n`, stderr: '' });
  });
});
