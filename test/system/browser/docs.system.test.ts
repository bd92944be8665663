import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorsPage } from '../../../scripts/docs/fact-links.ts';
import { rulesPage } from '../../../scripts/docs/rules-page.ts';
import { firstSamples } from '../../../scripts/docs/samples.ts';
import { pageOf } from '../../../scripts/docs/site.ts';
import { consoleLink } from '../../../scripts/docs/try/console-link.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { sdkOf } from '../../../scripts/spec/parameters.ts';
import { describeSource } from '../../../scripts/spec/source.ts';
import { missingChromium } from '../../support/chromium.ts';
import { choosePages, readsEveryPage } from './every-page.ts';
import { expectHeader } from './header.ts';
import { findColorFaults, findPageFaults } from './looks.ts';
import { Reader } from './reader.ts';
import { expectSearch } from './search-box.ts';
import { useSite } from './use-site.ts';
import type { Visit } from './visit.ts';
import { expectWidth, widths } from './widths.ts';

if (missingChromium) console.warn(`The docs are not tested in a browser: ${missingChromium}`);

/** Messaging alone has codes of errors. */
const references = choosePages(specNames, ['messaging']).map((name) => {
  const spec = loadSpec(name);
  return { spec, operations: listOperations(spec), file: pageOf(name).file };
});
const phone = { viewport: { width: 390, height: 844 } };

/** Without space, which a page sets in its own way. */
function squeeze(text: string | null): string {
  return (text ?? '').replace(/\s+/g, '');
}

function readBackground(page: Page): Promise<string> {
  return page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).backgroundColor);
}

describe.skipIf(missingChromium)('the docs in Chromium, from disk', { timeout: 180_000 }, () => {
  const site = useSite();

  function expectOffline({ outside, errors }: Visit): void {
    expect({ outside, errors }).toEqual({ outside: [], errors: [] });
  }

  // One visit per page, as a reader does it all: the page takes longer to load than most tests to run.
  describe.each(references)('$file', ({ file, operations }) => {
    let opened: Visit;
    /** The colour behind the header. */
    let light: string;
    const known = operations.find(({ operation }) => operation.deprecated) ?? operations[0];
    if (!known) throw new Error('A spec without operations');
    beforeAll(async () => {
      opened = await site.visit(file);
    });
    afterAll(() => opened?.close());

    it('lists every operation, and asks nothing of a network in more than ten seconds of clicking', async () => {
      const { page } = opened;
      const reader = new Reader(page);
      const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
      const started = await page.evaluate(() => performance.now());
      for (const [index, tag] of tags.entries()) {
        const group = operations.filter(({ operation }) => operation.tags.includes(tag));
        // The first of one group, the last of the next.
        const operation = group.at(index % 2 === 0 ? 0 : -1);
        if (!operation) throw new Error(`No operation has the tag ${tag}`);
        await reader.open(operation);
        await page.clock.fastForward(Math.ceil(10_000 / tags.length));
        for (const operation of group) {
          expect(await reader.entry(operation).textContent()).toContain(operation.operation.summary);
        }
      }
      const elapsed = (await page.evaluate(() => performance.now())) - started;
      expect(reader.clicks).toBeGreaterThanOrEqual(2 * tags.length);
      expect(elapsed).toBeGreaterThan(10_000);
      // Whatever was kept for later, such as a batch of telemetry, is due by then.
      await page.clock.runFor(30_000);
      await page.clock.fastForward('10:00');
      expectOffline(opened);
      expect(await page.locator('a[href^="http"]').filter({ visible: true }).count()).toBe(0);
    });

    it('shows of an operation what is called, where to try it, its rules and codes, its source, and that it is deprecated', async () => {
      const { page } = opened;
      const reader = new Reader(page);
      const shown = [
        operations.find(({ operation }) => operation['x-errors']),
        operations.find(({ operation }) => operation['x-rules']),
        operations.find(({ operation }) => operation.deprecated),
      ];
      for (const found of shown.filter((operation) => operation !== undefined)) {
        await reader.open(found);
        const section = reader.section(found);
        const text = (await section.textContent())?.replace(/\s+/g, ' ');
        const { 'x-source': source = '', 'x-rules': rules = [], 'x-errors': codes = {} } = found.operation;
        expect(text).toContain(`Source: ${describeSource(source)}.`);
        expect(await section.locator('.hub').textContent()).toBe(
          `${found.method} ${found.base}${found.path} api.${basename(file, '.html')}.${sdkOf(found).method}() Try it`,
        );
        expect(await section.locator('.hub a').getAttribute('href')).toBe(consoleLink(found.operationId));
        const links = await section.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
        expect(links).toEqual(expect.arrayContaining(rules.map(({ id }) => `${rulesPage.file}#${id}`)));
        expect(links).toEqual(expect.arrayContaining(Object.keys(codes).map((code) => `${errorsPage.file}#${code}`)));
        expect(text?.includes('Deprecated')).toBe(found.operation.deprecated ?? false);
      }
    });

    it('fits every width, and has no fault that axe finds at an operation', async () => {
      const { page } = opened;
      await new Reader(page).open(known);
      expect(await findPageFaults(page)).toEqual([]);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      for (const width of widths) await expectWidth(page, width);
      light = await readBackground(page);
    });

    it('moves nothing for readers who ask for less motion', async () => {
      const moved = await opened.page.evaluate(() =>
        [...document.querySelectorAll('*')].map((element) => getComputedStyle(element).transitionProperty),
      );
      expect(new Set(moved)).toEqual(new Set(['none']));
    });

    it('is reached past the header and the menu with the first link, and has one search', async () => {
      const { page } = opened;
      const skip = page.locator('a, button, input, summary, [tabindex]').first();
      expect(await skip.getAttribute('class')).toBe('skip');
      await skip.focus();
      const address = page.url();
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
      expect(page.url()).toBe(address);
      expect(await page.getByTestId('search-trigger').isVisible()).toBe(false);
      await expectSearch(page);
      expect(await page.getByTestId('search-dialog').count()).toBe(0);
      expectOffline(opened);
    });

    it('answers the samples and the phone menu without a network', async () => {
      const { page } = opened;
      const [operation] = operations.slice(-1);
      if (!operation) throw new Error('A spec without operations');
      await new Reader(page).open(operation);
      const section = new Reader(page).section(operation);

      const samples = section.locator('.panel-request-samples');
      const shown = async () => squeeze(await samples.textContent());
      let chosen = '';
      for (const { label, source } of firstSamples(operation)) {
        // The first one is there without a click.
        if (chosen) {
          await samples.getByRole('button', { name: chosen, exact: true }).click();
          await page.getByRole('menuitem', { name: label, exact: true }).filter({ visible: true }).click();
        }
        await expect.poll(shown, { timeout: 10_000 }).toContain(squeeze(source));
        chosen = label;
      }

      await page.setViewportSize(phone.viewport);
      await page.getByTestId('floating-button').click();
      await new Reader(page).entry(operation).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.viewport.width);
      await page.clock.runFor(30_000);
      expectOffline(opened);
    });

    it('on paper, has no navigation, and its code wraps', async () => {
      const { page } = opened;
      const [operation] = operations;
      if (!operation) throw new Error('A spec without operations');
      await page.setViewportSize({ width: 1280, height: 800 });
      await new Reader(page).open(operation);
      await page.locator('pre').first().waitFor();
      await page.emulateMedia({ media: 'print' });
      for (const part of ['.menu-content', '[data-testid="floating-button"]', '.hub .try']) {
        expect(await page.locator(part).first().isVisible(), part).toBe(false);
      }
      const wraps = page.locator('pre').evaluateAll((all) => all.map((code) => getComputedStyle(code).whiteSpace));
      expect(new Set(await wraps)).toEqual(new Set(['pre-wrap']));
      await page.emulateMedia({ media: 'screen' });
    });

    it('leads on by its header, by click', async () => {
      await expectHeader(opened.page, file, 'by click');
    });

    it.runIf(readsEveryPage)(
      'opened in dark, fits every width, has no fault that axe finds in its colours, and leads on by keyboard',
      async () => {
        const { page } = opened;
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.goto(site.address(file));
        await page.locator('h1:visible').first().waitFor();
        for (const width of widths) await expectWidth(page, width);
        await new Reader(page).open(known);
        expect(await findColorFaults(page, 'contrast')).toEqual([]);
        expect(await readBackground(page)).not.toBe(light);
        expectOffline(opened);
        await expectHeader(page, file, 'by keyboard');
      },
    );
  });
});
