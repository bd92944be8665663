import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compare, write } from '../../../scripts/generate/disk.ts';
import { modelSpec } from '../../../scripts/generate/operation-model.ts';
import { generateReport } from '../../../scripts/generate/spec-report.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec, type Spec } from '../../../scripts/spec/model.ts';
import { mutations, operation, property } from './report-changes.ts';

const loaded = specNames.map((name) => loadSpec(name));

/** A copy that a test may change. */
function copyOf(name: Spec['name']): Spec {
  const spec = loaded.find((candidate) => candidate.name === name) ?? expect.fail();
  return { ...spec, document: structuredClone(spec.document) };
}

function difference(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, fresh] = [before, after].map((text) => new Set(text.split('\n')));
  return {
    removed: [...(old ?? [])].filter((line) => !fresh?.has(line)),
    added: [...(fresh ?? [])].filter((line) => !old?.has(line)),
  };
}

const reportOf = (spec: Spec): string => generateReport(modelSpec(spec));

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'carillon-report-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the compact report', () => {
  it.each(mutations)('shows in a few lines that $title, and is stale until it is regenerated', (mutation) => {
    const spec = copyOf(mutation.spec);
    const before = reportOf(spec);
    mutation.change(spec);
    const after = reportOf(spec);

    const { removed, added } = difference(before, after);
    for (const line of [...removed, ...added]) expect(line).toMatch(mutation.about);
    expect({ removed: removed.length, added: added.length }).toEqual({
      removed: mutation.removed,
      added: mutation.added,
    });

    const file = join(spec.name, 'report.txt');
    write(directory, new Map([[file, before]]));
    const output = new Map([[file, after]]);
    expect(compare(directory, output)).toEqual([{ file, kind: 'stale' }]);
    write(directory, output);
    expect(compare(directory, output)).toEqual([]);
  });

  it('shows the new meaning of an error code, a rule, a value and a limit, each in one line', () => {
    const spec = copyOf('messaging');
    const before = reportOf(spec);
    const campaign = operation(spec, 'createCampaign');
    const [code] = Object.values(campaign['x-errors'] ?? {});
    const [rule] = campaign['x-rules'] ?? [];
    const name = property(spec, 'CampaignCreate', 'message');
    const [enumeration] = Object.values(spec.document.components.schemas).filter((each) => each['x-enumDescriptions']);
    Object.assign(code ?? {}, { meaning: 'Another.' });
    Object.assign(rule ?? {}, { text: 'Another.' });
    Object.assign(enumeration?.['x-enumDescriptions'] ?? {}, { [String(enumeration?.enum?.[0])]: 'Another.' });
    name.description = 'Another.';
    const { removed, added } = difference(before, reportOf(spec));
    expect(added.every((line) => / meaning of .*: "Another\."$/.test(line))).toBe(true);
    expect([removed.length, added.length]).toEqual([4, 4]);
  });

  it('ignores texts that do not affect the wire format', () => {
    const spec = copyOf('crm');
    const before = reportOf(spec);
    spec.document.info.description = 'Other words.';
    operation(spec, 'createDeal').summary = 'Other words';
    property(spec, 'DealCreate', 'pipelineId').description = 'Other words.';
    expect(reportOf(spec)).toBe(before);
  });

  it('has unique lines in sorted order', () => {
    const lines = reportOf(copyOf('crm')).trimEnd().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    expect([...lines].sort()).toEqual(lines);
  });
});
