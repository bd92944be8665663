import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packagePage } from '../../../scripts/docs/package-reference.ts';
import { connectChromium, missingChromium } from '../../support/chromium.ts';
import { once } from '../../support/once/once.ts';
import { choosePages } from './every-page.ts';
import { headed } from './header.ts';
import { findPageFaults } from './looks.ts';
import { type Visit, visit } from './visit.ts';

if (missingChromium) console.warn(`The reference of the package is not tested in a browser: ${missingChromium}`);

const desk = { viewport: { width: 1280, height: 720 } };
const phone = { viewport: { width: 390, height: 844 } };
/** One page of each kind. Without `PAGES=all`, the first page, and a function and a class, which are shown most. */
const kinds = [
  'index.html',
  'modules/carillon_email.html',
  'functions/carillon.createClient.html',
  'classes/carillon.ApiError.html',
  'interfaces/carillon_email.EmailMethods.html',
  'interfaces/carillon_email.EmailPaths.html',
  'types/carillon.BatchOutcome.html',
  'variables/carillon_messaging.CampaignsCreateErrors.html',
] as const;
const shown = choosePages(kinds, [
  'index.html',
  'functions/carillon.createClient.html',
  'classes/carillon.ApiError.html',
]);

/** Leaves of the menu the place of this page. The rest is the same on every page: 4,700 elements, which `pages.test.ts` has checked. */
function shortenMenu(page: Page): Promise<void> {
  return page.locator('.site-menu').evaluate((menu) => {
    for (const item of menu.querySelectorAll('li')) if (!item.querySelector('.current')) item.remove();
  });
}

describe.skipIf(missingChromium)('the reference of the package in Chromium, from disk', { timeout: 120_000 }, () => {
  let site: string;
  let browser: Browser;

  beforeAll(async () => {
    [{ folder: site }, browser] = await Promise.all([once('site'), connectChromium()]);
  });
  afterAll(() => browser?.close());

  async function open(file: string): Promise<Visit> {
    const opened = await visit(browser, 'about:blank');
    onTestFinished(() => opened.close());
    await load(opened, file);
    return opened;
  }

  async function load({ page }: Visit, file: string): Promise<void> {
    await page.goto(pathToFileURL(join(site, 'package', file)).href);
    await page.locator('h1').waitFor();
    // What was kept for later is due by then.
    await page.clock.runFor(30_000);
  }

  function expectOffline({ outside, errors }: Visit): void {
    expect({ outside, errors }).toEqual({ outside: [], errors: [] });
  }

  describe('one visit for a page of each kind', () => {
    let opened: Visit;
    beforeAll(async () => {
      opened = await visit(browser, 'about:blank');
    });
    afterAll(() => opened?.close());

    it.each(shown)(
      '%s leads back to every page of the site, asks nothing of a network, and has no serious fault, in light and on a dark phone',
      async (file) => {
        const { page } = opened;
        // As before each page, not as the last one was left.
        await page.emulateMedia({ colorScheme: 'light' });
        await load(opened, file);
        await shortenMenu(page);
        const backgrounds: string[] = [];
        for (const { colorScheme, viewport } of [
          { colorScheme: 'light', ...desk },
          { colorScheme: 'dark', ...phone },
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(viewport);
          const faults = await findPageFaults(page);
          expect(faults.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
          backgrounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        }
        expect(backgrounds[0]).not.toBe(backgrounds[1]);
        expectOffline(opened);

        await page.setViewportSize(desk.viewport);
        const header = page.getByRole('banner');
        await header.locator('summary').click();
        const links = await header
          .getByRole('link')
          .evaluateAll((found) => found.map((link) => (link instanceof HTMLAnchorElement ? link.href : '')));
        const base = pathToFileURL(join(site, '/')).href;
        expect(links).toEqual(headed.map((other) => base + other.file));
        expect(await header.locator('[aria-current="page"]').textContent()).toBe(packagePage.label);
      },
    );
  });

  it('finds createClient by the keyboard alone', async () => {
    const opened = await open('index.html');
    const { page } = opened;
    await page.keyboard.press('/');
    await page.keyboard.type('createClient');
    await page.getByRole('option', { name: 'Function · carillon ' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => basename(url.pathname) === 'carillon.createClient.html');
    await page.getByRole('heading', { level: 1, name: 'createClient' }).waitFor();
    expectOffline(opened);
  });

  it('leads from an entry to what it exports, and shows an example of it', async () => {
    const opened = await open('index.html');
    const { page } = opened;
    const content = page.getByRole('main');
    await content.getByRole('link', { name: 'carillon-sandbox', exact: true }).click();
    await content.getByRole('link', { name: 'createSandbox', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'createSandbox' }).waitFor();
    expect(await content.locator('pre').last().textContent()).toContain("from 'carillon-sandbox'");
    expectOffline(opened);
  });

  it('documents every group and method of a client', async () => {
    const { page } = await open('interfaces/carillon_crm.CrmMethods.html');
    const content = (await page.getByRole('main').textContent()) ?? '';
    expect(content).toContain('GET /crm/v1/deals/{dealId}');
    expect(content.match(/CRM document, section/g)?.length).toBeGreaterThan(70);
  });
});
