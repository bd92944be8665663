import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Finding } from '../../../scripts/lint/finding.ts';
import { runRedocly } from '../../../scripts/lint/redocly.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { broken, type Changes, note } from './mutation.ts';

/** Changes that break each rule of redocly.yaml. */
const cases: Record<string, Changes> = {
  'no-required-schema-properties-undefined': { 'components schemas Note required': ['texd'] },
  'no-schema-type-mismatch': { [`${note} text items`]: { type: 'string' } },
};

let folder: string;
let findings: Finding[];

/** One run of Redocly for all cases, each in its own file. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lint-'));
  const files = Object.entries(cases).map(([rule, changes]) => {
    const file = join(folder, `${rule}.yaml`);
    writeFileSync(file, broken(changes));
    return file;
  });
  const valid = join(folder, 'valid.yaml');
  writeFileSync(valid, broken({}));
  findings = await runRedocly([valid, ...files]);
});

afterAll(() => rmSync(folder, { recursive: true }));

function rulesBrokenBy(name: string): string[] {
  const found = findings.filter(({ file }) => basename(file) === `${name}.yaml`);
  return [...new Set(found.map(({ rule }) => rule))];
}

test('the valid spec breaks no rule', () => {
  expect(rulesBrokenBy('valid')).toEqual([]);
});

test.each(Object.keys(cases))('%s reports a spec that breaks it', (rule) => {
  expect(rulesBrokenBy(rule)).toEqual([rule]);
});

test('every rule of redocly.yaml has a breaking case', () => {
  const { rules } = parse(readFileSync(join(repositoryRoot, 'redocly.yaml'), 'utf8'));
  expect(Object.keys(cases)).toEqual(Object.keys(rules));
});
