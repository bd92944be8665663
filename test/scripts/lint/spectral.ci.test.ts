import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseSource } from '../../../scripts/lint/source.ts';
import { runSpectral } from '../../../scripts/lint/spectral.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { isNightly } from '../../support/amounts.ts';
import { clientCases } from './cases/client.ts';
import { documentCases } from './cases/document.ts';
import { extensionCases } from './cases/extensions.ts';
import { operationCases } from './cases/operations.ts';
import { schemaCases } from './cases/schemas.ts';
import { refusedEdits } from './closed/edits.ts';
import { furtherEdits } from './closed/further-edits.ts';
import { broken } from './mutation.ts';
import { shareValidators } from './shared-validators.ts';

shareValidators();

const cases = { ...documentCases, ...operationCases, ...schemaCases, ...extensionCases, ...clientCases };
const rule = z.looseObject({ severity: z.string() });
const ruleset = z.object({ rules: z.record(z.string(), rule) });

/** Our rules from spec/rules. */
function readRules(): z.infer<typeof ruleset>['rules'] {
  const folder = join(repositoryRoot, 'spec', 'rules');
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return Object.assign(
    {},
    ...files.map((file) => ruleset.parse(parse(readFileSync(join(folder, file), 'utf8'))).rules),
  );
}

async function rulesBrokenBy(text: string): Promise<string[]> {
  const findings = await runSpectral([parseSource('broken.yaml', text)]);
  return [...new Set(findings.map(({ rule }) => rule))];
}

test('the valid spec breaks no rule', async () => {
  expect(await runSpectral([parseSource('valid.yaml', broken({}))])).toEqual([]);
});

for (const [rule, faults] of Object.entries(cases)) {
  describe(rule, () => {
    // By day, one fault for each rule.
    test.each(Object.entries(faults).slice(0, isNightly ? undefined : 1))('refuses: %s', async (_fault, changes) => {
      expect(await rulesBrokenBy(broken(changes))).toEqual([rule]);
    });
  });
}

test('each of our rules has a case that breaks it', () => {
  const refusing = new Set([...Object.keys(cases), ...[...refusedEdits, ...furtherEdits].map(({ rule }) => rule)]);
  const rules = readRules();
  expect(Object.keys(rules).filter((name) => !refusing.has(name))).toEqual([]);
  expect(Object.keys(cases).filter((name) => !Object.hasOwn(rules, name))).toEqual([]);
});

test('each of our rules is an error', () => {
  expect(new Set(Object.values(readRules()).map(({ severity }) => severity))).toEqual(new Set(['error']));
});

test('the rules know exactly the extensions that spec/README.md defines', () => {
  const rows = readFileSync(join(repositoryRoot, 'spec', 'README.md'), 'utf8').matchAll(/^\| (`x-.*?) \|/gm);
  const documented = [...rows].flatMap(([, cell]) => cell?.match(/x-[\w-]+/g) ?? []);
  const { functionOptions } = z
    .object({ functionOptions: z.record(z.string(), z.unknown()) })
    .parse(Reflect.get(readRules()['extension-known'] ?? {}, 'then'));
  expect(Object.keys(functionOptions).sort()).toEqual(documented.sort());
});
