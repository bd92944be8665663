import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assetsFolder } from '../../../scripts/docs/frame/ids.ts';
import { readGuides } from '../../../scripts/docs/guides.ts';
import { redocFile, splitPage } from '../../../scripts/docs/redoc-script.ts';
import { buildSite } from '../../../scripts/docs/site.ts';
import { sampleLanguages } from '../../../scripts/samples/languages.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../../../scripts/spec/model.ts';
import { once } from '../../support/once/once.ts';

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
          assetsFolder,
          'guides.html',
          'try.html',
          'package',
          'benchmarks.html',
          'rules.html',
          'coverage.html',
          'open.html',
          'methods.html',
          'llms.txt',
          'llms-full.txt',
          'errors.html',
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
    expect(lines).toHaveLength(specNames.length + 3);
    const left = await readdir(join(dirname(built), '.cache'));
    expect(left.filter((name) => name.startsWith('docs-'))).toEqual([]);
    for (const page of ['index.html', 'open.html', 'errors.html', 'rules.html', 'documents.html']) {
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
  const picker = 'let e=O?.find(e=>Dj(e)===ee);return e?e.source:x;f([ee,O,n]);';
  const built = (program: string): string =>
    `<a href="/x"></a><script type="module">${program}${picker}export{RedocStandalone,hydrate,init};</script>`;
  const logos = '"https://cdn.redoc.ly/redoc/logo-mini.svg""https://cdn.redoc.ly/redoc/logo-mini-full.svg";';
  const others = 'f(import.meta.dirname+1,import.meta.url.x);[`⌘+K,CTRL+K`];';

  it('leaves the program of Redoc to a file that all pages share, without what it would load from a network', () => {
    const { page, script } = splitPage(built(`/** licence */${logos}${others}`));
    expect(page).toContain(`<a href="#/x"></a><script src="${redocFile}"></script>`);
    expect(page).not.toContain('logo');
    expect(script).toMatch(/^\/\*\* licence \*\/var \w+ = /);
    expect(script).not.toMatch(/https:|CTRL|import\.meta/);
  });

  it.each([
    ['its logo addresses', others, /0 logo addresses instead of 2/],
    ['the search shortcuts', logos + others.replace('CTRL', ''), /0 search shortcuts instead of 1/],
    ['import.meta', logos, /0 uses of import\.meta instead of 2/],
  ])('is refused when Redoc changed %s', (_, program, message) => {
    expect(() => splitPage(built(program))).toThrow(message);
  });

  it.each(specNames)('of %s loads the program that all pages share, and has a description', async (name) => {
    const { folder: site } = await once('site');
    const page = await readFile(join(site, `${name}.html`), 'utf8');
    expect(page).toContain(`<script src="${redocFile}"></script>`);
    expect(page).toMatch(/<meta name="description" content="[^"]{50,}">/);
  });
});

it('every page tells search engines what it is: a title and a description of its own', async () => {
  const { folder: built } = await once('site');
  const files = (await readdir(built, { recursive: true })).filter((file) => file.endsWith('.html'));
  const heads = new Map<string, string>();
  for (const file of files) {
    const text = await readFile(join(built, file), 'utf8');
    const [, title = ''] = /<title>([^<]+)<\/title>/.exec(text) ?? [];
    const descriptions = [...text.slice(0, 20_000).matchAll(/<meta name="description" content="([^"]{20,})"/g)];
    expect(descriptions, file).toHaveLength(1);
    // TypeDoc has pages of one name in several modules.
    if (!file.startsWith('package')) heads.set(title, file);
  }
  expect(heads.size).toBe(files.filter((file) => !file.startsWith('package')).length);
});
