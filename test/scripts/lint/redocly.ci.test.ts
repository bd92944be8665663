import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Finding } from '../../../scripts/lint/finding.ts';
import { runRedocly } from '../../../scripts/lint/redocly.ts';
import { repositoryRoot, specNames, specPath } from '../../../scripts/spec/files.ts';
import { broken, type Changes, create, list, search } from './mutation.ts';

const content = 'content application/json';

/** Changes that break each rule added by redocly.yaml, and each rule with exemptions. */
const cases: Record<string, Changes> = {
  'no-ambiguous-paths': { 'paths /notes/{noteId}/tags': {}, 'paths /notes/first/{name}': {} },
  'no-path-trailing-slash': { 'paths /boards/': {} },
  'operation-description': { [`${list} description`]: undefined },
  'operation-singular-tag': { [`${list} tags 1`]: 'Tokens' },
  'operation-tag-defined': { [`${list} tags`]: ['Boards'] },
  'parameter-description': { [`${list} parameters 1 description`]: undefined },
  'request-mime-type': {
    [`${search} requestBody content text/plain`]: { schema: { type: 'string' } },
  },
  'response-mime-type': { [`${create} responses 200 content`]: { 'text/plain': { schema: { type: 'string' } } } },
  'no-invalid-media-type-examples': { [`${create} requestBody ${content} examples textOnly value note text`]: 7 },
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
  ({ findings } = await runRedocly([valid, ...files]));
});

afterAll(() => rmSync(folder, { recursive: true }));

function rulesBrokenBy(name: string): string[] {
  const found = findings.filter(({ file }) => basename(file) === `${name}.yaml`);
  return [...new Set(found.map(({ rule }) => rule))];
}

test('the valid spec breaks no rule', () => {
  expect(rulesBrokenBy('valid')).toEqual([]);
});

test.each(Object.keys(cases))('%s refuses a spec that breaks it', (rule) => {
  expect(rulesBrokenBy(rule)).toEqual([rule]);
});

test('every rule that redocly.yaml adds has a breaking case', () => {
  const { rules } = parse(readFileSync(join(repositoryRoot, 'redocly.yaml'), 'utf8'));
  const added = Object.entries(rules).filter(([, severity]) => severity !== 'off');
  expect(Object.keys(cases)).toEqual(expect.arrayContaining(added.map(([rule]) => rule)));
});

test('every exemption is still needed', async () => {
  const exemptions = z.record(z.string(), z.record(z.string(), z.array(z.string())));
  const ignored = exemptions.parse(parse(readFileSync(join(repositoryRoot, '.redocly.lint-ignore.yaml'), 'utf8')));
  const places = Object.values(ignored).flatMap((rules) => Object.values(rules).flat());
  const result = await runRedocly(specNames.map((name) => specPath(name)));
  expect(result.ignored).toBe(places.length);
});
