import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { siteFolder } from '../../../scripts/docs/starlight/build-site.ts';
import { isNightly } from '../../support/amounts.ts';
import { missingChromium } from '../../support/chromium.ts';
import { findFaults } from './axe.ts';
import { useSite } from './use-site.ts';
import type { Visit } from './visit.ts';

if (missingChromium) console.warn(`The search is not tested in a browser: ${missingChromium}`);

/** The parts of the search's user interface. */
function partsOf(page: Page): Record<'dialog' | 'field' | 'status' | 'results' | 'links', Locator> {
  const dialog = page.getByRole('dialog', { name: 'Search' });
  const results = dialog.getByRole('list', { name: 'Results' });
  return {
    dialog,
    field: dialog.getByRole('searchbox', { name: 'Search the docs' }),
    status: dialog.getByRole('status'),
    results,
    links: results.getByRole('link'),
  };
}

/** Replaces the question at once, so that no part of it is asked, and waits for the answer. */
async function ask(page: Page, question: string): Promise<string> {
  const { field, results, status } = partsOf(page);
  await field.fill(question);
  await expect.poll(() => results.getAttribute('aria-busy'), { timeout: 10_000 }).toBe('false');
  return (await status.textContent()) ?? '';
}

/** The addresses of the first results, each a page with its sections. */
function readResults(page: Page, count: number): Promise<string[][]> {
  const items = partsOf(page).results.locator(':scope > li');
  return items.evaluateAll(
    (all, count) =>
      all.slice(0, count).map((item) => [...item.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')),
    count,
  );
}

describe.skipIf(missingChromium)('the search, in Chromium,', { timeout: 120_000 }, () => {
  /** Replaces the index's response, to test failures. */
  let indexAnswer: (() => Response) | undefined;
  const site = useSite((files) => async (request) => {
    if (indexAnswer && new URL(request.url).pathname === '/search.json') return indexAnswer();
    return files(request);
  });

  async function openSearch(path = '/'): Promise<Visit> {
    const opened = await site.open(path);
    await opened.page.keyboard.press('Control+k');
    await partsOf(opened.page).field.waitFor();
    return opened;
  }

  describe('is typed into', () => {
    let opened: Visit;
    beforeAll(async () => {
      opened = await site.visit('/guides/errors/');
      await opened.page.keyboard.press('Control+k');
    });
    afterAll(() => opened?.close());

    it.each([
      ['pagenation', '/guides/lists/'],
      ['auth.apiKey is missing or empty', '/guides/messages/'],
    ])('%s: an answer is among the first three results', async (typed, answer) => {
      await ask(opened.page, typed);
      expect((await readResults(opened.page, 3)).flat()).toContain(answer);
    });

    it('names the words that are on no page, and marks the others in the excerpts', async () => {
      expect(await ask(opened.page, 'rate limit zzzzzz')).toMatch(/^No page has: zzzzzz\. \d+ pages\.$/);
      expect(await partsOf(opened.page).results.locator('mark').first().textContent()).toMatch(/rate|limit/i);
    });

    it('shows no hidden words in its excerpts', async () => {
      await ask(opened.page, 'rate limit');
      expect(await partsOf(opened.page).results.textContent()).not.toMatch(/[⟦⟧]|throttling/);
    });

    it('shows ten pages, and more on request', async () => {
      await ask(opened.page, 'contact');
      const items = partsOf(opened.page).results.locator(':scope > li');
      expect(await items.count()).toBe(10);
      await opened.page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => items.count()).toBe(20);
      expect(
        await items
          .nth(10)
          .locator('a')
          .first()
          .evaluate((link) => link === document.activeElement),
      ).toBe(true);
    });

    it('the arrows move from the field through the results and back', async () => {
      const { page } = opened;
      const { field, links } = partsOf(page);
      // A slash in a question is an ordinary character.
      await ask(page, '/deals/get-list');
      expect(await field.inputValue()).toBe('/deals/get-list');
      await ask(page, 'blacklist');
      await page.keyboard.press('ArrowDown');
      expect(await isFocused(links.first())).toBe(true);
      await page.keyboard.press('ArrowDown');
      expect(await isFocused(links.nth(1))).toBe(true);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      expect(await isFocused(field)).toBe(true);
      await page.keyboard.press('ArrowUp');
      expect(await isFocused(field)).toBe(true);
    });

    it('Escape closes it with a question in its field, which is selected when it opens again', async () => {
      const { page } = opened;
      await ask(page, 'deal');
      await page.keyboard.press('Escape');
      await partsOf(page).dialog.waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('contact');
      expect(await partsOf(page).field.inputValue()).toBe('contact');
    });

    it.each(isNightly ? [390, 820, 1440] : [390])(
      'its results fit a width of %i, without axe violations in light and in dark',
      async (width) => {
        const { page } = opened;
        await page.setViewportSize({ width, height: 844 });
        await ask(page, 'rate limit');
        for (const colorScheme of ['light', 'dark'] as const) {
          // The policy blocks Starlight's script that follows the system's theme.
          await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), colorScheme);
          expect(await findFaults(page, { part: { include: ['site-search'] } })).toEqual([]);
        }
        const { dialog } = partsOf(page);
        expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
        const box = await dialog.boundingBox();
        expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        const close = page.getByRole('button', { name: 'Close' });
        await close.click();
        await dialog.waitFor({ state: 'hidden' });
        await page.keyboard.press('Control+k');
      },
    );

    it('has no errors, and contacts only the site', () => {
      expect({ errors: opened.errors, outside: opened.outside }).toEqual({ errors: [], outside: [] });
    });
  });

  it('loads its index only when it is opened, and costs at most 300 kB, gzipped, with everything that it loads', async () => {
    const requests: string[] = [];
    const { page } = await site.open('/');
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.reload({ waitUntil: 'networkidle' });
    expect(requests.filter((path) => /search-index|search\.json/.test(path))).toEqual([]);
    requests.length = 0;
    await page.getByRole('button', { name: 'Search' }).click();
    await ask(page, 'deal');
    expect(requests).toContain('/search.json');
    const sizes = requests.map((path) => gzipSync(readFileSync(join(siteFolder, path))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(300_000);
  });

  describe('is used with the keyboard:', () => {
    it('Ctrl+K and / open it, Escape closes it, and the focus returns', async () => {
      const { page } = await site.open('/');
      const { dialog, field } = partsOf(page);
      for (const key of ['Control+k', '/']) {
        await page.getByRole('button', { name: 'Search' }).focus();
        await page.keyboard.press(key);
        await expect.poll(() => isFocused(field)).toBe(true);
        expect(await field.inputValue()).toBe('');
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        expect(await isFocused(page.getByRole('button', { name: 'Search' }))).toBe(true);
      }
    });

    it.each([
      ['3087', '/reference/errors/#3087'],
      ...(isNightly
        ? [
            ['deals.changePipeline', '/crm/deals/change-pipeline/'],
            ['emails per second', '/reference/not-documented/#how-many-requests-are-allowed'],
          ]
        : []),
    ] as [typed: string, answer: string][])(
      'Enter opens the best answer to %s, without a pause after the last letter',
      async (typed, answer) => {
        const { page } = await openSearch();
        await page.keyboard.type(typed);
        await page.keyboard.press('Enter');
        await page.waitForURL(site.address(answer));
      },
    );
  });

  it('a result on the same page closes it and leads to its section', async () => {
    const { page } = await openSearch('/reference/errors/');
    await ask(page, '3087');
    await partsOf(page)
      .links.filter({ hasText: /^3087$/ })
      .first()
      .click();
    await partsOf(page).dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).hash).toBe('#3087');
  });

  describe('reports that it cannot load its index when it is opened', () => {
    const failure = 'The search index cannot be loaded. Check the connection, then reload the page.';

    function failWith(answer: () => Response): void {
      indexAnswer = answer;
      onTestFinished(() => {
        indexAnswer = undefined;
      });
    }

    it('and works again when the connection is back', async () => {
      failWith(() => new Response('', { status: 503 }));
      const { page } = await openSearch();
      await expect.poll(() => partsOf(page).status.textContent()).toBe(failure);
      indexAnswer = undefined;
      expect(await ask(page, 'zzzzzz')).toBe('No page has: zzzzzz.');
    });

    it('but not if it is lost after the index was loaded', async () => {
      const { page } = await openSearch();
      await ask(page, 'deal');
      failWith(() => new Response('', { status: 503 }));
      expect(await ask(page, 'blacklist')).toMatch(/^\d+ pages\.$/);
    });
  });
});

function isFocused(part: Locator): Promise<boolean> {
  return part.evaluate((element) => element === document.activeElement);
}
