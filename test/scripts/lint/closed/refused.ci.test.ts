import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingAt, parseSource } from '../../../../scripts/lint/source.ts';
import { type Finding, lintEach } from '../../../../scripts/lint/specs.ts';
import { isNightly } from '../../../support/amounts.ts';
import { broken, pathOf } from '../mutation.ts';
import { shareValidators } from '../shared-validators.ts';
import { refusedEdits as firstEdits } from './edits.ts';
import { furtherEdits } from './further-edits.ts';

shareValidators();

const all = [...firstEdits, ...furtherEdits];
/** By day, the first edit that each rule refuses. */
const refusedEdits = all.filter(({ rule }, index) => isNightly || index === all.findIndex((one) => one.rule === rule));

let folder: string;
let findings: Finding[];
const sources = refusedEdits.map(({ changes }, index) => ({ file: `${index}.yaml`, text: broken(changes) }));

/** One run for all edits, each in its own file. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lint-'));
  const written = sources.map(({ file, text }) => {
    writeFileSync(join(folder, file), text);
    return parseSource(join(folder, file), text);
  });
  const readable = written.filter((source) => source.findings.length === 0);
  findings = [...written.flatMap((source) => source.findings), ...(await lintEach(readable))];
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('an edit that the client cannot follow is refused once, at its line:', () => {
  test.each(refusedEdits.map((row, index) => ({ ...row, index })))('$edit', ({ index, rule, at }) => {
    const { file = '', text = '' } = sources[index] ?? {};
    const found = findings.filter((finding) => basename(finding.file) === file);
    const { line } = findingAt(parseSource(file, text), pathOf(at), rule, '');
    expect(found.map((finding) => `${finding.rule} at line ${finding.line}`).join(', ')).toBe(
      `${rule} at line ${line}`,
    );
    expect(found[0]?.message).toMatch(/\w{2,} \w/);
  });
});

test('the edits are at least 120, and differ', () => {
  expect(all.length).toBeGreaterThanOrEqual(120);
  expect(new Set(all.map(({ edit }) => edit)).size).toBe(all.length);
});
