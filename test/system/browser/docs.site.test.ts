import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { operationPath } from '../../../scripts/docs/addresses.ts';
import { readProductReference } from '../../../scripts/docs/facts/product-reference.ts';
import { listPages } from '../../../scripts/docs/pages/list.ts';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { isNightly, takesScreenshots } from '../../support/amounts.ts';
import { missingChromium } from '../../support/chromium.ts';
import { findFaults } from './axe.ts';
import { useSite } from './use-site.ts';

if (missingChromium) console.warn(`The pages are not tested in a browser: ${missingChromium}`);

const references = specNames.map((name) => readProductReference(loadSpec(name)));
const operations = references.flatMap((reference) => reference.operations);
const written = listPages(references).map(({ path }) => path);

/** One page of each kind, and more at night, when the others are opened, too. */
const samples = [
  '/',
  '/guides/errors/',
  '/crm/deals/update/',
  '/reference/rules/',
  '/reference/methods/',
  '/project/benchmarks/',
  ...(isNightly
    ? [
        '/guides/messages/',
        '/messaging/campaigns/create/',
        '/reference/errors/',
        '/reference/not-documented/',
        '/project/changelog/',
      ]
    : []),
];
const shownOperations = isNightly
  ? ['updateDeal', 'createCampaign', 'listContacts', 'sendEmailMessage']
  : ['updateDeal'];
const paths = isNightly || takesScreenshots ? written : samples;
/** By day, the pages have the themes in turn. */
const themesOf = (path: string) => {
  const all = ['light', 'dark'] as const;
  return paths === samples ? all.filter((_, index) => index === samples.indexOf(path) % 2) : all;
};
const widths = [390, 820, 1440];

const screenshots = takesScreenshots ? join(repositoryRoot, '.cache', 'screenshots') : undefined;

it('each sample page exists', () => {
  expect(written).toEqual(expect.arrayContaining(samples));
});

describe.skipIf(missingChromium)('in Chromium,', { timeout: 120_000 }, () => {
  const { open, address } = useSite();

  it.each(paths)(
    '%s has no axe violation in its themes, fits every width, and loads only from the site',
    async (path) => {
      const { page, outside, errors } = await open(path);
      for (const colorScheme of themesOf(path)) {
        await page.emulateMedia({ colorScheme });
        await page.reload();
        for (const width of screenshots ? widths : []) {
          await page.setViewportSize({ width, height: 900 });
          await takePicture(page, path, `${width}-${colorScheme}`);
        }
        // Also what is folded.
        await page.evaluate(() => {
          for (const folded of document.querySelectorAll('details')) {
            folded.removeAttribute('name');
            folded.open = true;
          }
        });
        expect(await findFaults(page)).toEqual([]);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          const beyond = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          expect(beyond, `pixels beyond a width of ${width}`).toBe(0);
        }
      }
      expect({ outside, errors }).toEqual({ outside: [], errors: [] });
    },
  );

  it.each(operations.filter(({ operationId }) => shownOperations.includes(operationId)).map(operationPath))(
    '%s shows its first parameter on the first screen of 1440 × 900',
    async (path) => {
      const { page } = await open(path, { viewport: { width: 1440, height: 900 } });
      const box = await page.locator('.fields li').first().boundingBox();
      expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    },
  );

  it('without JavaScript, the page of an operation is complete', async () => {
    const { page } = await open('/crm/deals/update/', { javaScriptEnabled: false });
    const text = await page.locator('main').innerText();
    for (const heading of ['Parameters', 'Response', 'TypeScript', 'Rules', 'Errors', 'Effect', 'See also'])
      expect(text).toContain(heading);
    for (const shown of ['api.crm.deals.update({', 'Response: 200', '"name": "Annual plan renewal"'])
      expect(text).toContain(shown);
    const gaps = page.locator('main details', { has: page.getByText(/^Not documented \(/) });
    expect(await gaps.locator('li').first().isVisible()).toBe(false);
    await gaps.locator('summary').click();
    expect(await gaps.locator('li').first().isVisible()).toBe(true);
  });

  it('a page can be copied as Markdown', async () => {
    const { page } = await open('/crm/deals/update/', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^# Update a deal\n\n/);
    expect(copied).toBe(await (await fetch(address('/crm/deals/update.md'))).text());
  });

  it('the menu leads from one operation to another, and the colour theme is kept', async () => {
    const { page } = await open('/crm/deals/update/');
    await page.locator('starlight-theme-select select').first().selectOption('dark');
    await page
      .locator('nav.sidebar')
      .getByRole('link', { name: /^Delete a deal DELETE$/ })
      .click();
    await page.waitForURL('**/crm/deals/delete/');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('the menu keeps its place within a resource, and has the entry in view after a change of the resource', async () => {
    const { page } = await open('/crm/contacts/get/', { viewport: { width: 1440, height: 700 } });
    const menu = page.locator('nav.sidebar');
    const place = () => menu.locator('.sidebar-pane').evaluate(({ scrollTop }) => scrollTop);
    await menu.locator('.sidebar-pane').evaluate((pane) => pane.scrollTo(0, 300));
    await menu.getByRole('link', { name: 'Update a contact PUT' }).click();
    await page.waitForURL('**/crm/contacts/update/');
    await expect.poll(place).toBe(300);
    await menu.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.waitForURL('**/crm/tags/assign/');
    const current = menu.locator('[aria-current="page"]');
    await expect.poll(async () => (await current.boundingBox())?.y).toBeLessThan(700);
  });

  it.each(['/', '/crm/deals/update/'])('%s has the menu on a phone', async (path) => {
    const { page } = await open(path, { viewport: { width: 390, height: 844 } });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('nav.sidebar').getByRole('link', { name: 'Reference', exact: true }).click();
    await page.waitForURL('**/reference/methods/');
  });

  it('hidden search words take no space from the text below them', async () => {
    const { page } = await open('/guides/errors/');
    const tops = await page
      .locator('.sl-markdown-content > .level-h2')
      .evaluateAll((headings) => headings.map((heading) => getComputedStyle(heading).marginTop));
    expect(new Set(tops).size, tops.join(' ')).toBe(1);
  });

  it('the language of samples that a reader opens is open on the next page', async () => {
    const { page } = await open('/crm/deals/update/');
    const isOpen = (language: string) => page.locator(`details[data-choice="${language}"][open]`).waitFor();
    await isOpen('typescript');
    await page.locator('details[data-choice="curl"] summary').click();
    // The browser fires the toggle event in a task after the click, so a page that is left earlier does not store the
    // language.
    await page.waitForFunction(() => localStorage.getItem('carillon-language') === 'curl');
    await page.goto(address('/crm/deals/create/'));
    await isOpen('curl');
    expect(await page.locator('.tabs details[open]').count()).toBe(1);
  });

  it('one tab stays open when a reader clicks it', async () => {
    const { page } = await open('/crm/deals/update/');
    await page.locator('details[data-choice="typescript"] summary').first().click();
    await page.locator('details[data-choice="typescript"][open]').waitFor();
  });

  it('at 1440 × 900, the first screen of an operation has the parameters, the call and the response', async () => {
    const { page } = await open('/crm/deals/create/', { viewport: { width: 1440, height: 900 } });
    for (const place of ['.fields li code', 'run-sample', 'role=button[name="Run"]', 'text=/^Response: 200/']) {
      const box = await page.locator(place).first().boundingBox();
      expect(box?.y, place).toBeLessThan(900);
    }
  });

  it('on a phone, the first screen of an operation has its parameters, and a link to the sample below them', async () => {
    const { page } = await open('/crm/deals/create/', { viewport: { width: 390, height: 844 } });
    expect((await page.locator('.fields li').first().boundingBox())?.y).toBeLessThan(600);
    const [fields, sample] = await Promise.all(
      ['.fields', '#sample'].map((place) => page.locator(place).first().boundingBox()),
    );
    expect(sample?.y).toBeGreaterThan((fields?.y ?? Number.NaN) + (fields?.height ?? 0));
    await page.getByRole('link', { name: 'Sample and response' }).click();
    await expect.poll(async () => (await page.locator('run-sample').first().boundingBox())?.y).toBeLessThan(300);
  });

  it.each([
    [1440, 900, ['.hero .actions', 'role=button[name="Run"]', '.start-sample', '.start-links > div:last-child']],
    [390, 844, ['.hero .actions', 'role=button[name="Run"]', '.start-sample']],
  ] as const)(
    'at %i × %i, the first page has a call, its response and where to start on its first screen',
    async (width, height, shown) => {
      const { page } = await open('/', { viewport: { width, height } });
      for (const place of shown) {
        const box = await page.locator(place).first().boundingBox();
        expect((box?.y ?? Number.NaN) + (box?.height ?? 0), place).toBeLessThanOrEqual(height);
      }
    },
  );

  it('the first page is at most 1,900 high at 1440 × 900, and its pictures load', async () => {
    const { page } = await open('/', { viewport: { width: 1440, height: 900 } });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1_900);
    for (const picture of await page.locator('.picture img:visible').all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
        .toBeGreaterThan(0);
    }
  });

  it.each(
    isNightly
      ? ['/crm/deals/attributes/list/', '/messaging/push/subscribers/set-state/', '/guides/upgrade/']
      : ['/messaging/push/subscribers/set-state/'],
  )('%s has its entry of the menu in view on arrival', async (path) => {
    const { page } = await open(path, { viewport: { width: 1440, height: 900 } });
    const box = await page.locator('nav.sidebar [aria-current="page"]').boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(901);
  });

  it('what is folded is printed', async () => {
    const { page } = await open('/messaging/campaigns/create/');
    await page.emulateMedia({ media: 'print' });
    for (const place of [
      '.fields details li',
      '[data-choice="curl"] pre',
      'main details:has-text("Not documented") li',
    ])
      expect((await page.locator(place).first().boundingBox())?.height, place).toBeGreaterThan(10);
  });

  describe.each([
    { percent: 400, width: 320, height: 256 },
    ...(isNightly
      ? [
          { percent: 200, width: 720, height: 450 },
          { percent: 400, width: 360, height: 225 },
        ]
      : []),
  ])('at $percent % zoom, in a window of $width × $height,', ({ percent, ...viewport }) => {
    const zoomed = { viewport, deviceScaleFactor: percent / 100 };

    it.each(samples)('%s does not scroll sideways, and less than a fifth of it is covered', async (path) => {
      const { page } = await open(path, zoomed);
      await page.evaluate(() => window.scrollTo(0, 600));
      const [beyond, covered] = await page.evaluate(() => [
        document.documentElement.scrollWidth - document.documentElement.clientWidth,
        Array.from({ length: innerHeight }, (_, y) => y).filter((y) =>
          document.elementsFromPoint(150, y).some((one) => /fixed|sticky/.test(getComputedStyle(one).position)),
        ).length,
      ]);
      expect(beyond, 'pixels beyond the width').toBe(0);
      expect((covered ?? Number.NaN) / viewport.height, 'covered share').toBeLessThan(0.2);
    });

    it('a sample is readable, runs and shows its output', async () => {
      const { page } = await open('/crm/deals/create/', zoomed);
      const sample = page.locator('run-sample').first();
      expect(await sample.locator('pre').evaluate((code) => code.scrollWidth - code.clientWidth)).toBe(0);
      // Playwright clicks only what no other element covers.
      await sample.getByRole('button', { name: 'Run', exact: true }).click();
      await sample.getByText(/^Finished/).waitFor();
      expect(await sample.locator('.output pre').first().isVisible()).toBe(true);
    });
  });

  it('with the keyboard alone, a reader skips to the words, runs the sample and changes the language', async () => {
    const { page } = await open('/crm/deals/create/', { viewport: { width: 1440, height: 900 } });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/crm/deals/create/#_top');
    await tabTo(page, 'Run');
    await page.keyboard.press('Enter');
    await page
      .locator('run-sample')
      .first()
      .getByText(/^Finished/)
      .waitFor();
    await page.locator('details[data-choice="typescript"] summary').first().focus();
    await tabTo(page, 'curl');
    await page.keyboard.press('Enter');
    await page.locator('details[data-choice="curl"][open]').waitFor();
    expect(await page.locator('details[data-choice="curl"] pre').isVisible()).toBe(true);
  });

  it('with the keyboard alone, a reader opens the menu on a phone and follows a link in it', async () => {
    const { page } = await open('/crm/deals/create/', { viewport: { width: 390, height: 844 } });
    await tabTo(page, 'Menu');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Deal notes');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/crm/deals/comments/list/');
  });

  it('an unknown address has the menu, and suggests pages with its words', async () => {
    const { page } = await open('/deals/update-deal/');
    await page.locator('nav.sidebar').getByRole('link', { name: 'Install' }).waitFor();
    await page.locator('[data-suggestions]').getByRole('link', { name: 'Update a deal', exact: true }).waitFor();
  });

  it('a link to a folded place opens it', async () => {
    const { page } = await open('/reference/not-documented/#updateDeal');
    await page.locator('details[open]:has(a#updateDeal) li').first().waitFor();
  });

  /** Presses Tab until the focus is on what has a name, and checks that the focus can be seen on the way. */
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let pressed = 0; pressed < 80; pressed += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        const { outlineStyle = 'none', boxShadow = 'none' } = element ? getComputedStyle(element) : {};
        return { text: element?.textContent?.trim() ?? '', isSeen: outlineStyle !== 'none' || boxShadow !== 'none' };
      });
      expect(focused.isSeen, `the focus on ${focused.text}`).toBe(true);
      if (focused.text === name) return;
    }
    expect.unreachable(`Tab does not lead to ${name}`);
  }

  async function takePicture(page: Page, path: string, name: string): Promise<void> {
    await mkdir(screenshots ?? '', { recursive: true });
    await page.screenshot({ path: join(screenshots ?? '', `${path.replaceAll('/', '_')}${name}.png`) });
  }
});

it.runIf(screenshots)('the pictures are in .cache/screenshots', () => {
  expect(readdirSync(screenshots ?? '').length).toBeGreaterThan(0);
});
