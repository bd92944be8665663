import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readGuides } from '../../../scripts/docs/guides.ts';
import { startPage } from '../../../scripts/docs/layout.ts';
import { packagePage } from '../../../scripts/docs/package-reference.ts';
import { rulesPage } from '../../../scripts/docs/rules-page.ts';
import { pageOf } from '../../../scripts/docs/site.ts';
import { tryPage } from '../../../scripts/docs/try-page.ts';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { connectChromium, missingChromium } from '../../support/chromium.ts';
import { once } from '../../support/once/once.ts';
import { type Fault, findFaults } from './axe.ts';
import { choosePages, readsEveryPage } from './every-page.ts';
import { chooseDark, expectDark, expectHeader, expectHeaderKeys, expectSwitch, headed } from './header.ts';
import { findColorFaults, findPageFaults } from './looks.ts';
import { Reader } from './reader.ts';
import { operation } from './try-reader.ts';
import { type Visit, visit } from './visit.ts';
import { expectWidth, widths } from './widths.ts';

if (missingChromium) console.warn(`The pages are not tested in a browser: ${missingChromium}`);

const guides = readGuides();
const references = specNames.map(pageOf);
/** `npm run screenshots`: pictures of every page, for a person to look at. No test reads them. */
const screenshots = process.env.SCREENSHOTS === '1' ? join(repositoryRoot, '.cache', 'screenshots') : undefined;
const pages = [...headed, ...guides.map(({ page }) => page)];
/** Pages whose scripts choose colours when they load. `try.test.ts` and `docs.test.ts` expect the same of them, in one visit. */
const loaded = new Set([tryPage, ...references].map(({ file }) => file));
const every = pages.map(({ file }) => file).filter((file) => screenshots || !loaded.has(file));
const files = screenshots ? every : choosePages(every, [startPage.file, rulesPage.file, guides[0]?.page.file ?? '']);
/** What another project renders, which we cannot fix: the header above it is ours. */
const foreign = tryPage.file;
const schemes = ['light', 'dark'] as const;

describe.skipIf(missingChromium)('every page in Chromium, from disk', { timeout: 120_000 }, () => {
  let site: string;
  let browser: Browser;

  beforeAll(async () => {
    [{ folder: site }, browser] = await Promise.all([once('site'), connectChromium()]);
    if (!screenshots) return;
    await rm(screenshots, { recursive: true, force: true });
    await mkdir(screenshots, { recursive: true });
  });
  afterAll(() => browser?.close());

  async function open(file: string, options?: BrowserContextOptions): Promise<Visit> {
    const opened = await visit(browser, pathToFileURL(join(site, file)).href, options);
    onTestFinished(() => opened.close());
    await opened.page.locator('h1:visible').first().waitFor();
    return opened;
  }

  /** In the second scheme, colours alone. There our own pages keep the stricter rule of contrast too. */
  function findFaultsOf(page: Page, file: string, isSecond: boolean): Promise<Fault[]> {
    if (file === foreign) return findFaults(page, { part: { include: ['.carillon-header'] } });
    if (!isSecond) return findPageFaults(page);
    return findColorFaults(page, loaded.has(file) ? 'contrast' : 'strict');
  }

  describe('one visit for all pages', () => {
    let opened: Visit;
    beforeAll(async () => {
      opened = await visit(browser, 'about:blank');
    });
    afterAll(() => opened?.close());

    it.for(files)(
      '%s fits every width in light and in dark, asks nothing of a network, has no fault that axe finds, and leads on by its header, by keyboard and by click',
      async (file) => {
        const { page, outside, errors } = opened;
        const backgrounds = new Set<string>();
        const load = async (): Promise<void> => {
          const address = pathToFileURL(join(site, file)).href;
          // The header of the last page has led here.
          if (loaded.has(file) || page.url() !== address) await page.goto(address);
          await page.locator('h1:visible').first().waitFor();
        };
        for (const colorScheme of schemes) {
          // The second scheme changes nothing but colours. Our own style sheets follow it at once.
          const isSecond = colorScheme === schemes[1];
          await page.emulateMedia({ colorScheme });
          if (!isSecond || loaded.has(file)) await load();
          for (const width of widths) {
            await expectWidth(page, width);
            const name = `${file.replace('.html', '').replace('/', '-')}-${colorScheme}-${width}.png`;
            if (screenshots) await page.screenshot({ path: join(screenshots, name) });
          }
          expect(await findFaultsOf(page, file, isSecond)).toEqual([]);
          backgrounds.add(await page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).backgroundColor));
          expect({ outside, errors }).toEqual({ outside: [], errors: [] });
          if (loaded.has(file)) await expectHeader(page, file, isSecond ? 'by keyboard' : 'by click');
        }
        expect(backgrounds.size).toBe(schemes.length);
        const isLeft = loaded.has(file) || !headed.some((one) => one.file === file);
        if (isLeft) return;
        await expectHeaderKeys(page, file);
        await expectHeader(page, file, 'by click');
      },
    );
  });

  it('on a phone, a menu has all pages, and Escape closes it', async () => {
    const { page } = await open(rulesPage.file, { viewport: { width: 390, height: 844 } });
    const header = page.getByRole('banner');
    expect(await header.getByRole('link').count()).toBe(1);
    await header.getByRole('button', { name: 'Menu' }).click();
    await header.locator('summary').click();
    expect(await header.getByRole('link').allTextContents()).toEqual(headed.map(({ label }) => label));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => header.getByRole('link').count()).toBe(1);
  });

  it('one switch changes the colours of every page, whoever renders it, and is remembered', async () => {
    const { page, errors } = await open(startPage.file, { colorScheme: 'light' });
    const start = page.url();
    // `try-inside.test.ts` expects the same of the page "Try it".
    for (const { file } of [startPage, packagePage, ...references.slice(-1)]) {
      await chooseDark(page, start);
      // The choice can arrive late in the process of the next page.
      await vi.waitFor(
        async () => {
          await page.goto(pathToFileURL(join(site, file)).href);
          await page.locator('h1:visible').first().waitFor();
          await expectDark(page);
        },
        { timeout: 60_000 },
      );
      await expectSwitch(page);
    }
    expect(errors).toEqual([]);
  });

  it.runIf(readsEveryPage)(
    'a choice of the language of samples is remembered on the other references, also from disk',
    async () => {
      const { page } = await open(startPage.file);
      const openSamples = async (file: string, operationId: string): Promise<Locator> => {
        await page.goto(pathToFileURL(join(site, file)).href);
        await page.locator('h1:visible').first().waitFor();
        const reader = new Reader(page);
        await reader.open(operation(operationId));
        return reader.section(operation(operationId)).locator('.panel-request-samples');
      };
      const first = await openSamples('email.html', 'sendEmailMessage');
      // While sections above are rendered, the page moves away from an open list. A reader opens it again.
      await vi.waitFor(
        async () => {
          await page.keyboard.press('Escape');
          await first.getByRole('button', { name: 'TypeScript', exact: true }).click({ timeout: 2_000 });
          const curl = page.getByRole('menuitem', { name: 'curl', exact: true }).filter({ visible: true });
          await curl.click({ timeout: 2_000 });
        },
        { timeout: 60_000 },
      );
      const other = await openSamples('messaging.html', 'createCampaign');
      await other.getByText('curl --fail-with-body').waitFor();
    },
  );

  it('a page on paper has no navigation, and its code wraps', async () => {
    const { page } = await open(guides[0]?.page.file ?? '');
    await page.emulateMedia({ media: 'print' });
    for (const part of ['.carillon-header', '.guide-list', '.guide-steps', '.copy']) {
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    }
    const wraps = page
      .locator('pre')
      .evaluateAll((blocks) => blocks.map((block) => getComputedStyle(block).whiteSpace));
    expect(new Set(await wraps)).toEqual(new Set(['pre-wrap']));
  });

  it('the start page shows, at 1280 × 800 without scrolling, how to reach each task', async () => {
    const { page } = await open(startPage.file, { viewport: { width: 1280, height: 800 } });
    for (const { title, page: guide } of guides) {
      const link = page.getByRole('main').getByRole('link', { name: title, exact: true });
      const box = await link.boundingBox();
      expect(box && box.y + box.height, title).toBeLessThanOrEqual(800);
      expect(await link.getAttribute('href')).toBe(guide.file);
    }
    await page.getByRole('link', { name: guides[0]?.title ?? '', exact: true }).click();
    await page.waitForURL((url) => basename(url.pathname) === guides[0]?.page.file);
  });
});
