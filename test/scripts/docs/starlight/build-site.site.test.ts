import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProductReference, readProductReferences } from '../../../../scripts/docs/facts/product-reference.ts';
import { fileOf } from '../../../../scripts/docs/markdown/page.ts';
import { listPages } from '../../../../scripts/docs/pages/list.ts';
import { siteFolder } from '../../../../scripts/docs/starlight/build-site.ts';
import { specNames } from '../../../../scripts/spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../../../../scripts/spec/model.ts';

const pages = listPages(specNames.map((name) => readProductReference(loadSpec(name))));

describe('the site', () => {
  it('has each page as HTML and as Markdown, and is replaced as a whole', async () => {
    const files = await readdir(siteFolder, { recursive: true });
    for (const page of pages)
      expect(files).toEqual(expect.arrayContaining([join(page.path.slice(1), 'index.html'), fileOf(page)]));
    expect(files).not.toContain('gone.html');
    expect(await readFile(join(siteFolder, 'crm/deals/update.md'), 'utf8')).toMatch(/^# Update a deal\n/);
  });
});

describe('a spec that cannot be turned into pages', () => {
  /** Loads the email spec with a change by `spoil`, and the others unchanged. */
  function spoiled(spoil: (spec: Spec) => void): (name: Spec['name']) => Spec {
    return (name) => {
      const spec = loadSpec(name);
      if (name === 'email') spoil(spec);
      return spec;
    };
  }

  it.each([
    [
      'a reference without a target',
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
      'an extension that is not of its form',
      (spec: Spec) => {
        Object.assign(spec.openapi.info, { 'x-rules': 'none' });
      },
      /spec\/email\.yaml: #\/info: x-rules must be a list of /,
    ],
  ])('is named in the error: %s', (_, spoil, message) => {
    expect(() => readProductReferences(spoiled(spoil))).toThrow(message);
  });
});

const missing = { $ref: '#/components/responses/Nothing', description: '' };
