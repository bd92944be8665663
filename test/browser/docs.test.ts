import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPage } from '../../scripts/docs/layout.ts';
import { openPage } from '../../scripts/docs/open-page.ts';
import { anchorOf } from '../../scripts/docs/open-points.ts';
import { rulesPage } from '../../scripts/docs/rules-page.ts';
import { firstSamples } from '../../scripts/docs/samples.ts';
import { pageOf } from '../../scripts/docs/site.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';
import { sdkOf } from '../../scripts/spec/parameters.ts';
import { describeSource } from '../../scripts/spec/source.ts';
import { connectChromium, missingChromium } from '../support/chromium.ts';
import { once } from '../support/once/once.ts';
import { Reader } from './reader.ts';
import { type Visit, visit } from './visit.ts';

if (missingChromium) console.warn(`The docs are not tested in a browser: ${missingChromium}`);

const references = specNames.map((name) => {
  const spec = loadSpec(name);
  return { spec, operations: listOperations(spec), file: pageOf(name).file };
});
const phone = { viewport: { width: 390, height: 844 } };

/** Without space, which a page sets in its own way. */
function squeeze(text: string | null): string {
  return (text ?? '').replace(/\s+/g, '');
}

describe.skipIf(missingChromium)('the docs in Chromium, from disk', { timeout: 180_000 }, () => {
  let site: string;
  let browser: Browser;

  beforeAll(async () => {
    [{ folder: site }, browser] = await Promise.all([once('site'), connectChromium()]);
  });
  afterAll(() => browser?.close());

  function address(file: string): string {
    return pathToFileURL(join(site, file)).href;
  }

  async function open(file: string): Promise<Visit> {
    const opened = await visit(browser, address(file));
    onTestFinished(() => opened.close());
    return opened;
  }

  function expectOffline({ outside, errors }: Visit): void {
    expect({ outside, errors }).toEqual({ outside: [], errors: [] });
  }

  // One visit per page, as a reader does it all: the page takes longer to load than most tests to run.
  describe.each(references)('$file', ({ file, operations }) => {
    let opened: Visit;
    beforeAll(async () => {
      opened = await visit(browser, address(file));
    });
    afterAll(() => opened?.close());

    it('lists every operation, and asks nothing of a network in more than ten seconds of clicking', async () => {
      const { page } = opened;
      const reader = new Reader(page);
      const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
      const started = await page.evaluate(() => performance.now());
      for (const tag of tags) {
        const group = operations.filter(({ operation }) => operation.tags.includes(tag));
        for (const operation of new Set([...group.slice(0, 1), ...group.slice(-1)])) {
          await reader.open(operation);
          await page.clock.fastForward(Math.ceil(10_000 / tags.length));
        }
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

    it('shows where an operation comes from, its rules, and that it is deprecated', async () => {
      const { page } = opened;
      const reader = new Reader(page);
      const shown = [
        operations.find(({ operation }) => operation['x-rules']),
        operations.find(({ operation }) => operation.deprecated),
      ];
      for (const found of shown.filter((operation) => operation !== undefined)) {
        await reader.open(found);
        const text = (await reader.section(found).textContent())?.replace(/\s+/g, ' ');
        expect(text).toContain(`Source: ${describeSource(found.operation['x-source'] ?? '')}.`);
        expect(text).toContain(`sdk: api.${basename(file, '.html')}.${sdkOf(found).method}`);
        for (const rule of found.operation['x-rules'] ?? []) expect(text).toContain(`(${describeSource(rule.source)})`);
        expect(text?.includes('Deprecated')).toBe(found.operation.deprecated ?? false);
      }
    });

    it('answers search, colours, samples and the phone menu without a network', async () => {
      const { page } = opened;
      const [operation] = operations.slice(-1);
      if (!operation) throw new Error('A spec without operations');
      const { summary } = operation.operation;

      const search = page.getByTestId('search-dialog');
      await page.getByTestId('search-trigger').getByText('Search').click();
      await search.getByRole('textbox').fill(summary);
      await search.locator('a').filter({ hasText: summary }).first().click();
      const section = new Reader(page).section(operation);
      await section.getByRole('heading', { level: 2 }).filter({ hasText: summary }).waitFor();

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

      const colors = () => page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).backgroundColor);
      const before = await colors();
      await page.getByTestId('color-mode-switcher').click();
      await expect.poll(colors).not.toBe(before);

      await page.setViewportSize(phone.viewport);
      await page.getByTestId('floating-button').click();
      await new Reader(page).entry(operation).waitFor();
      await page.clock.runFor(30_000);
      expectOffline(opened);
    });
  });

  it('the start page counts the operations of each spec', async () => {
    const { page } = await open(startPage.file);
    for (const { spec, operations } of references) {
      const card = page.locator('.card').filter({ has: page.getByRole('link', { name: spec.document.info.title }) });
      expect(await card.textContent()).toContain(`${operations.length} operations`);
    }
  });

  it.each([openPage, rulesPage])('every link of $file leads to its operation', async ({ file: linking }) => {
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

    await anchors.last().click();
    const summary = summaries.get(links.at(-1) ?? '') ?? '';
    await page.locator('h2').filter({ hasText: summary }).first().waitFor();
    expectOffline(opened);
  });
});
