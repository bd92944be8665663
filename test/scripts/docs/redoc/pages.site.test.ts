import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operationPath, redocLink } from '../../../../scripts/docs/addresses.ts';
import { writeRedocPages } from '../../../../scripts/docs/redoc/pages.ts';
import { firstSamples, toRedocSpec } from '../../../../scripts/docs/redoc/redoc-spec.ts';
import { siteFolder } from '../../../../scripts/docs/starlight/build-site.ts';
import { sampleLanguages } from '../../../../scripts/samples/languages.ts';
import { specNames } from '../../../../scripts/spec/files.ts';
import { listOperations, loadSpec, lookUp, type Spec } from '../../../../scripts/spec/model.ts';
import { descriptions, gapTextsIn } from './gap-texts.ts';

describe.each(specNames)('the document that Redoc shows of %s', (name) => {
  const spec = loadSpec(name);
  const openapi = toRedocSpec(spec);

  it('contains all gaps and rules in its descriptions', () => {
    const rules = listOperations(spec).flatMap(({ operation }) => operation['x-rules'] ?? []);
    const shown = descriptions(openapi).join('\n').replaceAll('\n> ', '\n');
    for (const text of [...gapTextsIn(spec.openapi), ...rules.map((rule) => rule.text.trim())]) {
      expect(shown).toContain(text);
    }
  });

  it('has the samples of the first example in every language, and a link to the page of each operation', () => {
    for (const operation of listOperations(spec)) {
      const pointer = `#/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}`;
      const shown = lookUp<{ 'x-codeSamples': unknown; description: string }>(openapi, pointer);
      expect(shown['x-codeSamples'], operation.operationId).toEqual(firstSamples(operation));
      expect(shown.description).toContain(`(../..${operationPath(operation)})`);
    }
    expect(
      new Set(
        descriptions(openapi)
          .join('')
          .match(/\]\([^)]*\)/g),
      ).size,
    ).toBe(listOperations(spec).length);
  });
});

describe('the Redoc pages', () => {
  it('are one file for each spec, with every language of samples, a title and a description', async () => {
    const folder = join(siteFolder, 'redoc');
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      specNames.flatMap((name) => [name, join(name, 'index.html')]).sort(),
    );
    for (const name of specNames) {
      const page = await readFile(join(folder, name, 'index.html'), 'utf8');
      const [, languages = '[]'] = /"codeSamples":\{"languages":(\[[^\]]*\])/.exec(page) ?? [];
      expect(JSON.parse(languages)).toEqual(
        expect.arrayContaining(sampleLanguages.map(({ highlight, label }) => ({ lang: highlight, label }))),
      );
      expect(page).toMatch(/<title>\w+ reference · Carillon<\/title>/);
      expect(page).toMatch(/<meta name="description" content="The \d+ operations of [^"]{30,}">/);
      expect(page).toMatch(
        new RegExp(`"downloadUrls":\\[\\{"title":"[^"]+","url":"\\.\\./\\.\\./downloads/${name}\\.yaml"`),
      );
      expect(page.match(/aria-current="page"/g)).toHaveLength(1);
    }
  });

  it('are not written if specs have faults: the error names each spec', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'carillon-redoc-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const spoil: Partial<Record<Spec['name'], (spec: Spec) => void>> = {
      // A reference without a target, a version that Redoc does not know, and an extension of another form.
      crm(spec) {
        for (const { operation } of listOperations(spec)) operation.responses.default = missing;
      },
      messaging(spec) {
        spec.openapi.openapi = '9.9';
      },
      email(spec) {
        Object.assign(spec.openapi.info, { 'x-rules': 'none' });
      },
    };
    const load = (name: Spec['name']): Spec => {
      const spec = loadSpec(name);
      spoil[name]?.(spec);
      return spec;
    };
    const error: unknown = await writeRedocPages({ folder, downloadsOf: () => [], load }).catch((reason) => reason);
    const message = error instanceof Error ? error.message : '';
    expect(message).toMatch(/^spec\/crm\.yaml: .*#\/components\/responses\/Nothing/m);
    expect(message).toMatch(/^spec\/messaging\.yaml: Unsupported OpenAPI version: 9\.9$/m);
    expect(message).toMatch(/^spec\/email\.yaml: #\/info: x-rules must be a list of /m);
  });

  it('are linked at an operation by its tag and id', () => {
    const update = listOperations(loadSpec('crm')).find(({ operationId }) => operationId === 'updateDeal');
    expect(update && redocLink(update)).toBe('/redoc/crm/#/deals/updatedeal');
  });
});

const missing = { $ref: '#/components/responses/Nothing', description: '' };
