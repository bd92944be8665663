import { beforeAll, expect, test } from 'vitest';
import { readBlock, writeGuideTests } from '../../../scripts/check/runtimes/guide-test.ts';
import { runCommonjs, useProject } from './installed.ts';

const project = useProject('jest', '@opentelemetry/api');
beforeAll(() => writeGuideTests(project()));

test("the guide's test of the sandbox passes as CommonJS", async () => {
  const output = await runCommonjs(
    project(),
    "globalThis.test = require('node:test').test; require('./sandbox.test.js');",
  );
  expect(output).toMatch(/pass 2\n/);
  expect(output).toMatch(/fail 0\n/);
});

test('the CommonJS program of the guide on installation prints what its ES module prints', async () => {
  const shown = readBlock('install', 'text output');
  expect(shown).toMatch(/\w/);
  expect(await runCommonjs(project(), readBlock('install', 'js check.cjs'))).toBe(shown);
});
