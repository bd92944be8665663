import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { benchmarksPage } from '../../scripts/docs/benchmarks-page.ts';
import { readGuides } from '../../scripts/docs/guides.ts';
import { startPage } from '../../scripts/docs/layout.ts';
import { openPage } from '../../scripts/docs/open-page.ts';
import { pageOf } from '../../scripts/docs/site.ts';
import { tryPage } from '../../scripts/docs/try-page.ts';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { connectChromium, missingChromium } from '../support/chromium.ts';
import { once } from '../support/once/once.ts';
import { findFaults } from './axe.ts';
import { expectHeader, headed } from './header.ts';
import { type Visit, type VisitOptions, visit } from './visit.ts';

if (missingChromium) console.warn(`The pages are not tested in a browser: ${missingChromium}`);

const guides = readGuides();
const references = specNames.map(pageOf);
/** `npm run screenshots`: pictures of every page, for a person to look at. No test reads them. */
const screenshots = process.env.SCREENSHOTS === '1' ? join(repositoryRoot, '.cache', 'screenshots') : undefined;
const pages = [...headed, benchmarksPage, ...guides.map(({ page }) => page)];
// `try.test.ts` expects the same of the page that takes longest to load.
const files = pages.map(({ file }) => file).filter((file) => screenshots || file !== tryPage.file);
/** What other projects render, which we cannot fix: the header above it is ours. */
const foreign = new Set([tryPage, ...references].map(({ file }) => file));
const widths = [390, 820, 1280];
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

  async function open(file: string, options?: VisitOptions): Promise<Visit> {
    const opened = await visit(browser, pathToFileURL(join(site, file)).href, options);
    onTestFinished(() => opened.close());
    await opened.page.locator('h1').first().waitFor();
    return opened;
  }

  it.for(files)(
    '%s fits every width in light and in dark, asks nothing of a network, has no fault that axe finds, and leads on by its header',
    async (file) => {
      const backgrounds = new Set<string>();
      let opened: Visit | undefined;
      for (const colorScheme of schemes) {
        // Our style sheets follow the scheme at once, and change nothing but colours; the scripts of others choose their
        // colours when they load.
        const isSwitched = opened !== undefined && !foreign.has(file);
        if (opened && isSwitched) await opened.page.emulateMedia({ colorScheme });
        else {
          await opened?.close();
          opened = await open(file, { colorScheme, axe: true });
        }
        const { page, outside, errors } = opened;
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          expect(await page.evaluate(() => document.documentElement.scrollWidth), `width ${width}`).toBe(width);
          const name = `${file.replace('.html', '').replace('/', '-')}-${colorScheme}-${width}.png`;
          if (screenshots) await page.screenshot({ path: join(screenshots, name) });
        }
        const ours = foreign.has(file) ? { include: ['.carillon-header'] } : undefined;
        expect(await findFaults(page, ours, isSwitched ? 'colors' : 'all')).toEqual([]);
        backgrounds.add(await page.getByRole('banner').evaluate((bar) => getComputedStyle(bar).backgroundColor));
        expect({ outside, errors }).toEqual({ outside: [], errors: [] });
        if (foreign.has(file)) await expectHeader(page, file, colorScheme === 'light' ? 'by click' : 'by keyboard');
      }
      expect(backgrounds.size).toBe(schemes.length);
      if (opened && headed.some((one) => one.file === file) && !foreign.has(file))
        await expectHeader(opened.page, file, 'by click');
    },
  );

  // The pages of other projects take long to load: they are left by keyboard above.
  it.for(headed.filter(({ file }) => !foreign.has(file)))(
    'the header of $file leads to the next page by keyboard too',
    async ({ file }) => {
      const { page, outside, errors } = await open(file);
      await expectHeader(page, file, 'by keyboard');
      expect({ outside, errors }).toEqual({ outside: [], errors: [] });
    },
  );

  it('on a phone, the header has the page that one is on in view', async () => {
    const { page } = await open(openPage.file, { viewport: { width: 390, height: 844 } });
    const box = await page.getByRole('banner').locator('[aria-current="page"]').boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
  });

  it('the start page shows, at 1280 × 800 without scrolling, how to reach each of the ten tasks', async () => {
    expect(guides).toHaveLength(10);
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
