import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstSamples } from '../../../scripts/docs/redoc/redoc-spec.ts';
import { siteFolder } from '../../../scripts/docs/starlight/build-site.ts';
import { specNames, specPath } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { isNightly } from '../../support/amounts.ts';
import { launchChromium, missingChromium } from '../../support/chromium.ts';
import { findFaults } from './axe.ts';
import { RedocReader } from './redoc-reader.ts';

if (missingChromium) console.warn(`The Redoc pages are not tested in a browser: ${missingChromium}`);

const local = /^(?:file|data|blob|about):/;
/** Redoc's remote logo, which the page's policy blocks. */
const blockedLogo = /^Loading the image 'https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[\w-]*\.svg' violates /;

/** Removes whitespace, which a page may format differently. */
function squeeze(text: string | null): string {
  return (text ?? '').replace(/\s+/g, '');
}

describe.skipIf(missingChromium)('a Redoc page in Chromium, from disk', { timeout: 180_000 }, () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'carillon-redoc-'));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  // By day, the smallest page. One visit per page, because loading it takes longer than most tests.
  describe.each(isNightly ? specNames : (['messaging'] as const))('%s', (name) => {
    const operations = listOperations(loadSpec(name));
    let page: Page;
    let reader: RedocReader;
    /** Requests that left the page because the policy did not block them. */
    const outside: string[] = [];
    const errors: string[] = [];

    beforeAll(async () => {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      await context.route(
        (address) => !local.test(address.href),
        (route) => {
          outside.push(route.request().url());
          return route.abort();
        },
      );
      await context.clock.install();
      page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on('websocket', (socket) => outside.push(socket.url()));
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
      });
      await page.goto(pathToFileURL(join(siteFolder, 'redoc', name, 'index.html')).href);
      reader = new RedocReader(page);
    });
    afterAll(() => page?.context().close());

    function expectOffline(): void {
      expect({ outside, errors: errors.filter((error) => !blockedLogo.test(error)) }).toEqual({
        outside: [],
        errors: [],
      });
    }

    it('has every operation in its menu, and sends no request in ten seconds of clicking and ten minutes after', async () => {
      const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
      const started = await page.evaluate(() => performance.now());
      for (const tag of tags) {
        const group = operations.filter(({ operation }) => operation.tags.includes(tag));
        const [first] = group;
        if (!first) throw new Error(`No operation has the tag ${tag}`);
        await reader.open(first);
        await page.clock.fastForward(Math.ceil(10_000 / tags.length));
        for (const operation of group) {
          expect(await reader.entry(operation).textContent()).toContain(operation.operation.summary);
        }
      }
      expect((await page.evaluate(() => performance.now())) - started).toBeGreaterThan(10_000);
      expect(reader.clicks).toBeGreaterThanOrEqual(2 * tags.length);
      // A batch of telemetry would be sent by then.
      await page.clock.runFor(30_000);
      await page.clock.fastForward('10:00');
      expectOffline();
    });

    it('finds an operation with its own search', async () => {
      const operation = operations.at(-1);
      if (!operation) throw new Error('A spec without operations');
      const { summary } = operation.operation;
      await page.getByTestId('search-trigger').click();
      await page.getByTestId('search-dialog').getByRole('textbox').fill(summary);
      await page.clock.runFor(1_000);
      const hit = page.getByTestId('search-dialog').getByText(summary, { exact: true }).first();
      await hit.click();
      await reader.section(operation).getByRole('heading', { level: 2 }).filter({ hasText: summary }).waitFor();
      expectOffline();
    });

    it('shows the sample of an operation in every language, TypeScript first', async () => {
      const operation = operations.at(-1);
      if (!operation) throw new Error('A spec without operations');
      await reader.open(operation);
      const samples = reader.section(operation).locator('.panel-request-samples');
      let chosen = '';
      for (const { label, source } of firstSamples(operation)) {
        if (chosen) {
          await samples.getByRole('button', { name: chosen, exact: true }).click();
          await page.getByRole('menuitem', { name: label, exact: true }).filter({ visible: true }).click();
        }
        await expect
          .poll(async () => squeeze(await samples.textContent()), { timeout: 10_000 })
          .toContain(squeeze(source));
        chosen = label;
      }
      expectOffline();
    });

    it('downloads the spec unchanged from the repository', async () => {
      await reader.click(page.locator('.menu-content a').first());
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByTestId('download-button').first().click(),
      ]);
      expect(download.suggestedFilename()).toBe(`${name}.yaml`);
      const saved = join(folder, 'downloads', `${name}.yaml`);
      await download.saveAs(saved);
      expect(await readFile(saved, 'utf8')).toBe(await readFile(specPath(name), 'utf8'));
    });

    it('leads to the site and to the other references, and shows no remote logo or chat', async () => {
      const header = page.getByRole('banner');
      const links = await header.getByRole('link').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      expect(links).toEqual(['../../index.html', ...specNames.map((each) => `../${each}/index.html`)]);
      expect(await header.locator('[aria-current]').getAttribute('href')).toBe(`../${name}/index.html`);
      expect(await page.getByTestId('page-actions').first().isVisible()).toBe(false);
      expect(await page.locator('img').filter({ visible: true }).count()).toBe(0);
      const other = specNames.find((each) => each !== name);
      await header.locator(`a[href="../${other}/index.html"]`).click();
      await page.waitForURL(`**/${other}/index.html`);
    });

    it.each(['light', 'dark'] as const)(
      'has no axe violation in its colours and landmarks, in %s',
      async (colorScheme) => {
        await page.emulateMedia({ colorScheme });
        await page.goto(pathToFileURL(join(siteFolder, 'redoc', name, 'index.html')).href);
        const operation = operations.find(({ operation }) => operation.deprecated) ?? operations[0];
        if (!operation) throw new Error('A spec without operations');
        await reader.open(operation);
        // Other violations are Redoc's own: a level of headings, and the name of a button. Our template sets the rest.
        const faults = await findFaults(page);
        expect(faults.filter(({ id }) => id === 'color-contrast' || id === 'region')).toEqual([]);
        expect(await findFaults(page, { part: { include: ['.site'] } })).toEqual([]);
        expectOffline();
      },
    );
  });
});
