import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  addSection,
  findMissing,
  lineOf,
  readPending,
  sectionOf,
  writeChangeset,
} from '../../../scripts/release/changelog.ts';
import { judgeAll, problemsOf } from '../../../scripts/release/check.ts';
import { formatOutcome } from '../../../scripts/release/output.ts';
import { findObstacles } from '../../../scripts/release/publishing.ts';
import type { Impact, Judge, Surface, Verdict } from '../../../scripts/release/verdict.ts';
import { minVersion } from '../../../scripts/release/versions.ts';

const verdict = (impact: Impact, place = 'crm updateDeal', surface: Surface = 'methods'): Verdict => ({
  surface,
  impact,
  place,
  sentence: `\`${place}\` is another one.`,
});

describe('the lowest version', () => {
  it.each([
    ['0.4.2', ['break', 'fix'], '0.5.0'],
    ['0.4.2', ['addition'], '0.4.3'],
    ['0.4.2', ['fix'], '0.4.3'],
    ['0.4.2', [], '0.4.2'],
    ['1.4.2', ['fix', 'addition', 'break'], '2.0.0'],
    ['1.4.2', ['fix', 'addition'], '1.5.0'],
    ['1.4.2', ['fix'], '1.4.3'],
  ] as const)('after %s with %j is %s', (base, impacts, least) => {
    expect(
      minVersion(
        base,
        impacts.map((impact) => verdict(impact)),
      ),
    ).toBe(least);
  });

  it('stops a lower version, with surface, place and reason of the most severe change', () => {
    const verdicts = [verdict('fix'), verdict('break', 'Crm.Deal', 'types')];
    expect(problemsOf('1.0.0', '1.9.0', verdicts, [])).toEqual([
      'The version is 1.9.0, and has to be 2.0.0 or higher because of types, Crm.Deal: `Crm.Deal` is another one.',
    ]);
    expect(problemsOf('1.0.0', '2.0.0', verdicts, [])).toEqual([]);
  });

  it('is never below the last release', () => {
    expect(problemsOf('1.0.0', '0.9.0', [], [])).toEqual([
      'The version is 0.9.0, and has to be 1.0.0 or higher, the version of the last release',
    ]);
  });
});

test('a judge that cannot judge stops the check', async () => {
  const broken: Judge = { surface: 'types', judge: () => Promise.reject(new Error('the file cannot be read')) };
  await expect(
    judgeAll([broken], { version: '1.0.0', folder: '/' }, { version: '1.0.0', folder: '/' }),
  ).rejects.toThrow('the file cannot be read');
});

describe('the changelog', () => {
  const changelog =
    '# Changelog\n\nWords.\n\n## 0.2.0\n\n- **Breaks:** `crm updateDeal` is\n  another one.\n\n## 0.1.0\n\n- First.\n';

  it("has a change if its sentence is in the version's section, even across lines, or in a changeset", () => {
    const verdicts = [verdict('break'), verdict('fix', 'crm deleteDeal')];
    expect(findMissing(verdicts, [sectionOf(changelog, '0.2.0')])).toEqual([verdicts[1]]);
    expect(findMissing(verdicts, [sectionOf(changelog, '0.1.0')])).toEqual(verdicts);
    expect(findMissing(verdicts, [sectionOf(changelog, '0.2.0'), '- `crm deleteDeal` is another one.'])).toEqual([]);
    expect(sectionOf(changelog, '0.2')).toBe('');
  });

  it('gets the section of a new version at the top', () => {
    const added = addSection(changelog, '0.3.0', ['- One.', '- Two.']);
    expect(sectionOf(added, '0.3.0')).toBe('0.3.0\n\n- One.\n- Two.\n\n');
    expect(sectionOf(added, '0.2.0')).toBe(sectionOf(changelog, '0.2.0'));
  });

  it('stops a release that lacks a change, and names the change', () => {
    expect(problemsOf('1.0.0', '2.0.0', [verdict('break')], [verdict('break')])).toEqual([
      `CHANGELOG.md and .changeset/ lack 1 of the changes. npm run release:check -- --write adds them:\n${lineOf(verdict('break'))}`,
    ]);
  });
});

describe('a folder with the packages', () => {
  let folder: string;
  const write = (file: string, value: unknown): void => writeFileSync(join(folder, file), JSON.stringify(value));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'carillon-changes-'));
    for (const name of ['carillon', 'carillon-jobs']) mkdirSync(join(folder, name));
    mkdirSync(join(folder, '.changeset'));
    write('package.json', { name: 'root', private: true, version: '1.0.0', workspaces: ['carillon', 'carillon-jobs'] });
    write('package-lock.json', { lockfileVersion: 3 });
    write('carillon/package.json', { name: 'carillon', version: '1.0.0' });
    write('carillon-jobs/package.json', {
      name: 'carillon-jobs',
      version: '1.0.0',
      peerDependencies: { carillon: '1.0.0' },
    });
    write('.changeset/config.json', { changelog: false, fixed: [['carillon', 'carillon-jobs']], baseBranch: 'main' });
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 1.0.0 (not released yet)\n\nFirst.\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ['fix', '1.0.1'],
    ['addition', '1.1.0'],
    ['break', '2.0.0'],
  ] as const)('treats a written %s as version %s, also for the package with a peer', async (impact, version) => {
    const file = await writeChangeset(folder, '1.0.0', [verdict('fix'), verdict(impact, 'crm deleteDeal')]);
    expect(readFileSync(join(folder, file), 'utf8')).toContain('`crm deleteDeal` is another one.');
    const pending = await readPending(folder);
    expect(pending).toMatchObject({ current: '1.0.0', version });
    expect(findMissing([verdict('fix'), verdict(impact, 'crm deleteDeal')], pending.texts)).toEqual([]);
  });

  it('never replaces a waiting change', async () => {
    const files = [
      await writeChangeset(folder, '1.0.0', [verdict('fix')]),
      await writeChangeset(folder, '1.0.0', [verdict('fix')]),
    ];
    expect(new Set(files).size).toBe(2);
  });

  it('is not published without a repository, with waiting changes, or with a version that is unwritten or already released', async () => {
    expect(await findObstacles(folder, 2, ['v1.0.0'])).toEqual([
      expect.stringContaining('`repository`'),
      expect.stringContaining('2 changes wait'),
      expect.stringContaining('not released yet'),
      expect.stringContaining('v1.0.0 exists'),
    ]);
    write('package.json', { version: '1.0.1', repository: 'https://github.com/owner/name' });
    expect(await findObstacles(folder, 0, ['v1.0.0'])).toEqual([
      expect.stringContaining('no section of version 1.0.1'),
    ]);
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 1.0.1 (2027-01-01)\n\nFirst.\n');
    expect(await findObstacles(folder, 0, ['v1.0.0'])).toEqual([]);
  });
});

describe('the output', () => {
  const outcome = {
    base: 'v1.0.0',
    version: '2.0.0',
    verdicts: [verdict('break'), verdict('fix', 'crm deleteDeal', 'types')],
    problems: [],
  };

  it('is one line per change, most severe first', () => {
    expect(formatOutcome(outcome)).toBe(
      '## Changes since v1.0.0, for version 2.0.0\n\n### Breaks (1)\n\n- `crm updateDeal` is another one.\n\n### Other changes (1)\n\n- `crm deleteDeal` is another one.',
    );
  });

  it('reports that there is no release, or no change', () => {
    expect(formatOutcome({ ...outcome, base: undefined })).toBe(
      'There is no release yet, so version 2.0.0 breaks no program. Describe what users notice in CHANGELOG.md.',
    );
    expect(formatOutcome({ ...outcome, verdicts: [] })).toContain('Neither methods nor types change.');
  });
});
