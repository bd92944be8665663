import { describe, expect, it } from 'vitest';
import { errorsPage } from '../../../scripts/docs/fact-links.ts';
import { startPage } from '../../../scripts/docs/layout.ts';
import { openPage } from '../../../scripts/docs/open-page.ts';
import { anchorOf } from '../../../scripts/docs/open-points.ts';
import { rulesPage } from '../../../scripts/docs/rules-page.ts';
import { pageOf } from '../../../scripts/docs/site.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { missingChromium } from '../../support/chromium.ts';
import { useSite } from './use-site.ts';

if (missingChromium) console.warn(`The links to operations are not tested in a browser: ${missingChromium}`);

const references = specNames.map((name) => {
  const spec = loadSpec(name);
  return { spec, operations: listOperations(spec), file: pageOf(name).file };
});

describe.skipIf(missingChromium)('what leads to operations, in Chromium, from disk', { timeout: 60_000 }, () => {
  const { open } = useSite();

  it('the start page counts the operations of each spec', async () => {
    const { page } = await open(startPage.file);
    for (const { spec, operations } of references) {
      const card = page.locator('.card').filter({ has: page.getByRole('link', { name: spec.document.info.title }) });
      expect(await card.textContent()).toContain(`${operations.length} operations`);
    }
  });

  it.each([openPage, rulesPage, errorsPage])(
    'every link of $file leads to its operation',
    async ({ file: linking }) => {
      const opened = await open(linking);
      const { page } = opened;
      const anchors = page.locator('main a[href*=".html#/"]');
      const links = await anchors.evaluateAll((found) => found.map((a) => a.getAttribute('href')));
      const summaries = new Map(
        references.flatMap(({ file, operations }) =>
          operations.map((one) => [file + anchorOf(one), one.operation.summary] as const),
        ),
      );
      expect(links.length).toBeGreaterThan(0);
      expect([...summaries.keys()]).toEqual(expect.arrayContaining(links));

      // A reader opens the entry that has it.
      await page.locator('main details').evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));
      await anchors.last().click();
      const summary = summaries.get(links.at(-1) ?? '') ?? '';
      await page.locator('h2').filter({ hasText: summary }).first().waitFor();
      const { outside, errors } = opened;
      expect({ outside, errors }).toEqual({ outside: [], errors: [] });
    },
  );
});
