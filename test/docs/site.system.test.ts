import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGuides } from '../../scripts/docs/guides.ts';
import { closeOff } from '../../scripts/docs/reference-page.ts';
import { buildSite } from '../../scripts/docs/site.ts';
import { sampleLanguages } from '../../scripts/samples/languages.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../../scripts/spec/model.ts';
import { once } from '../support/once/once.ts';

let folder: string;
let output: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-site-'));
  output = join(folder, 'site');
  await mkdir(output);
  await writeFile(join(output, 'index.html'), 'the old site');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The email spec, changed by `spoil`; the others are not changed. */
function spoiled(spoil: (spec: Spec) => void): (name: Spec['name']) => Spec {
  return (name) => {
    const spec = loadSpec(name);
    if (name === 'email') spoil(spec);
    return spec;
  };
}

describe('the docs build', () => {
  it('replaces the site as a whole, says what it built, and leaves no other files', async () => {
    const { folder: built, lines } = await once('site');
    expect((await readdir(built)).sort()).toEqual(
      [
        ...[
          'index.html',
          'guides.html',
          'try.html',
          'package',
          'benchmarks.html',
          'rules.html',
          'coverage.html',
          'open.html',
          'documents.html',
        ],
        ...specNames.map((name) => `${name}.html`),
        ...readGuides().map(({ page }) => page.file),
      ].sort(),
    );
    expect(lines).toEqual(
      expect.arrayContaining(
        specNames.map((name) => `${name}.html: ${listOperations(loadSpec(name)).length} operations`),
      ),
    );
    expect(lines).toHaveLength(specNames.length + 2);
    expect(await readdir(join(dirname(built), '.cache'))).toEqual([]);
    for (const page of ['index.html', 'open.html', 'rules.html', 'documents.html']) {
      expect((await readFile(join(built, page), 'utf8')).match(/(?:src|href)="(?!data:)[^"]*:\/\//g)).toBeNull();
    }
    const languages = sampleLanguages.map(({ highlight, label }) => ({ lang: highlight, label }));
    for (const name of specNames) {
      const text = await readFile(join(built, `${name}.html`), 'utf8');
      const [, shown = '[]'] = /"codeSamples":\{"languages":(\[[^\]]*\])/.exec(text) ?? [];
      expect(JSON.parse(shown), `languages that Redoc shows in ${name}.html`).toEqual(
        expect.arrayContaining(languages),
      );
    }
  });

  it.each([
    [
      'a reference to nothing',
      (spec: Spec) => {
        for (const operation of listOperations(spec)) operation.operation.responses.default = missing;
      },
      /spec\/email\.yaml: .*#\/components\/responses\/Nothing/,
    ],
    [
      'an operation without a success response',
      (spec: Spec) => {
        for (const { operation } of listOperations(spec)) operation.responses = {};
      },
      /spec\/email\.yaml: \w+ documents no success response/,
    ],
    [
      'a version that Redoc does not know',
      (spec: Spec) => {
        spec.document.openapi = '9.9';
      },
      /^spec\/email\.yaml: Unsupported OpenAPI version: 9\.9$/,
    ],
    [
      'an extension that is not of its form',
      (spec: Spec) => {
        Object.assign(spec.document.info, { 'x-rules': 'none' });
      },
      /spec\/email\.yaml: #\/info has an extension .* \(x-rules: /,
    ],
  ])('names the spec that has %s, and leaves the old site whole', async (_, spoil, message) => {
    await expect(buildSite({ output, load: spoiled(spoil) })).rejects.toThrow(message);
    expect(await readFile(join(output, 'index.html'), 'utf8')).toBe('the old site');
    expect(await readdir(join(folder, '.cache'))).toEqual([]);
  });
});

const missing = { $ref: '#/components/responses/Nothing', description: '' };

describe('a reference page', () => {
  it('is refused when the logo addresses of Redoc are not those that are taken away', () => {
    expect(() => closeOff('<script type="module"></script>')).toThrow(/0 logo addresses instead of 2/);
  });
});
