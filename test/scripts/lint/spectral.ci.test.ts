import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseSpecSource } from '../../../scripts/lint/spec-source.ts';
import { runSpectral } from '../../../scripts/lint/spectral.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { isNightly } from '../../support/amounts.ts';
import { cases } from './cases.ts';
import { broken } from './mutation.ts';
import { shareValidators } from './shared-validators.ts';

shareValidators();

async function rulesBrokenBy(text: string): Promise<string[]> {
  const findings = await runSpectral([parseSpecSource('broken.yaml', text)]);
  return [...new Set(findings.map(({ rule }) => rule))];
}

test('the valid spec breaks no rule', async () => {
  expect(await runSpectral([parseSpecSource('valid.yaml', broken({}))])).toEqual([]);
});

describe.each(Object.entries(cases))('%s', (rule, faults) => {
  // By day, one fault for each rule.
  test.each(Object.entries(faults).slice(0, isNightly ? undefined : 1))('reports: %s', async (_fault, changes) => {
    expect(await rulesBrokenBy(broken(changes))).toEqual([rule]);
  });
});

test('each of our rules is an error, and has a case that breaks it', () => {
  const { rules } = parse(readFileSync(join(repositoryRoot, 'spec', 'rules', 'facts.yaml'), 'utf8'));
  expect(Object.keys(rules).sort()).toEqual(Object.keys(cases).sort());
  for (const { severity } of Object.values<{ severity: string }>(rules)) expect(severity).toBe('error');
});
