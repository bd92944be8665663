import { describe, expect, it } from 'vitest';
import { renderLlmsFiles } from '../../../scripts/docs/llms-files.ts';
import { renderMethodsPage } from '../../../scripts/docs/methods-page.ts';
import { readReference } from '../../../scripts/docs/site.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { methods } from '../../../src/cli/catalogue/index.ts';

const references = specNames.map((name) => readReference(loadSpec(name)));

describe('the page of methods', () => {
  const page = renderMethodsPage(references, []);

  it('has every method once, with a link to its reference and its effect', () => {
    for (const { name, effect } of methods) {
      const rows = page.split('<tr>').filter((row) => row.includes(`id="${name}"`));
      expect(rows, name).toHaveLength(1);
      expect(rows[0]).toContain(`<span class="effect ${effect}">${effect}</span>`);
    }
    expect(page).toContain('<a id="crm.deals.create" href="crm.html#/deals/createdeal">');
  });

  it('says how many methods have each effect', () => {
    for (const effect of ['read', 'write', 'delete', 'send']) {
      const count = methods.filter((method) => method.effect === effect).length;
      expect(page).toContain(`${effect} (${count})`);
    }
  });
});

describe('llms.txt', () => {
  const files = new Map(renderLlmsFiles(references, []));

  it('lists every method with its effect and summary', () => {
    for (const { name, effect, summary } of methods)
      expect(files.get('llms.txt')).toContain(`- \`${name}\` (${effect}): ${summary}\n`);
  });

  it('has a section for every method in llms-full.txt, with its parameters and rules', () => {
    const sections = new Map(
      (files.get('llms-full.txt') ?? '').split('\n## ').map((section) => [section.split('\n', 1)[0], section]),
    );
    for (const { name, rules = [], inPath = {} } of methods) {
      const section = sections.get(name) ?? '';
      for (const { text } of rules) expect(section).toContain(text);
      for (const parameter of Object.keys(inPath)) expect(section).toContain(`- \`${parameter}\` (`);
    }
    expect(sections.get('crm.contacts.list')).toContain('- `limit` (integer, 1 to 100): ');
  });
});
